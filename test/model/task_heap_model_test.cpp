// task/heap.hpp: a block that another thread gives back returns once, after its last use.
#include <algorithm>
#include <array>

#include "spares.hpp"
#include "task/heap.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

struct Shared {
  Heap home;
  std::array<Heap, 2> others;
  std::array<void*, 2> blocks{};
  std::array<Heap::Origin, 2> origins;
  std::array<Plain<int>, 2> uses;  // counts the uses of each block
  std::array<void*, 2> taken{};    // taken by the owner, checked at the end

  Plain<int>* use_of(void* block) {
    for (size_t i = 0; i < blocks.size(); ++i)
      if (blocks[i] == block) return &uses[i];
    return nullptr;
  }
};

void* take(Heap& heap, size_t bytes, Heap::Origin& origin) {
  return bytes <= Heap::kSmall ? heap.take(bytes, origin) : heap.take_large(bytes, origin);
}

// Each of two other threads gives one block back, while the owner takes two.
void given_back(Stage& stage, int givers, size_t bytes) {
  auto& s = stage.make<Shared>();
  stage.name(s.home, "home");
  stage.name(s.uses, "uses");
  for (size_t i = 0; i < 2; ++i) s.blocks[i] = take(s.home, bytes, s.origins[i]);
  for (int i = 0; i < givers; ++i)
    stage.thread(numbered("giver", i), [&s, at = static_cast<size_t>(i)] {
      s.uses[at].set(1);
      s.others[at].give(s.blocks[at], s.origins[at]);
      s.others[at].flush();
    });
  stage.thread("owner", [&s, bytes] {
    Heap::Origin origin;
    void* const first = take(s.home, bytes, origin);
    void* const second = take(s.home, bytes, origin);
    MODEL_CHECK(first != second);
    for (void* block : {first, second})
      if (Plain<int>* use = s.use_of(block)) use->set(2);
    s.taken = {first, second};
  });
  stage.finally([&s, givers, bytes] {
    Heap::Origin origin;
    const void* const all[] = {s.taken[0], s.taken[1], take(s.home, bytes, origin),
                               take(s.home, bytes, origin)};
    for (size_t i = 0; i < static_cast<size_t>(givers); ++i)
      MODEL_CHECK(std::count(std::begin(all), std::end(all), s.blocks[i]) == 1);
  });
}

constexpr size_t kSmall = 128, kLarge = 2000;

TEST(Heap, OneGiver) {
  expect_holds(explore({}, [](Stage& stage) { given_back(stage, 1, kSmall); }));
}

TEST(Heap, TwoGivers) {
  expect_holds(explore({}, [](Stage& stage) { given_back(stage, 2, kSmall); }));
}

TEST(Heap, TwoGiversOfLargeBlocks) {
  expect_holds(explore({}, [](Stage& stage) { given_back(stage, 2, kLarge); }));
}

TEST(Heap, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { given_back(stage, 2, kSmall); }));
}

}  // namespace
}  // namespace vicino::task
