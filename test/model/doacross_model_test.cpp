// loop/doacross.hpp: a wait ends when its iteration is posted, whether the thread polls or sleeps,
// and sees what was written before the post.
#include <array>

#include "loop/doacross.hpp"
#include "spares.hpp"

namespace vicino::loop {
namespace {

using namespace model;  // NOLINT: a test

constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);
constexpr sync::PatienceLimits kMoreThreadsThanCores = sync::PatienceLimits::shared(1000);
constexpr auto kNotOver = [] { return false; };
constexpr auto kNobodyElse = [](int) { return false; };

struct Nest {
  explicit Nest(Posts::Layout layout = Posts::Layout::kInRow) : posts(flags, layout) {}

  std::array<Posts::Flag, 3> flags;
  Posts posts;
  std::array<Plain<int>, 3> data;
};

void wait_and_read(Nest& nest, uint64_t iteration, const sync::PatienceLimits& limits = kLimits) {
  sync::Patience patience;
  nest.posts.wait(iteration, {patience, limits}, kNotOver, kNobodyElse);
  MODEL_CHECK(nest.data[iteration].get() == static_cast<int>(iteration) + 1);
}
void write_and_post(Nest& nest, uint64_t iteration) {
  nest.data[iteration].set(static_cast<int>(iteration) + 1);
  nest.posts.post(iteration);
}

Nest& nest_of(Stage& stage, Posts::Layout layout = Posts::Layout::kInRow) {
  auto& nest = stage.make<Nest>(layout);
  for (auto& flag : nest.flags) stage.name(flag, "flag");
  for (auto& datum : nest.data) stage.name(datum, "data");
  return nest;
}

// Iterations 0, 1, 2, each of which needs the one before; two threads take turns.
void chain(Stage& stage) {
  auto& nest = nest_of(stage);
  stage.thread("even", [&nest] {
    write_and_post(nest, 0);
    wait_and_read(nest, 1);
    write_and_post(nest, 2);
  });
  stage.thread("odd", [&nest] {
    wait_and_read(nest, 0);
    write_and_post(nest, 1);
  });
}

void two_waiters(Stage& stage) {
  auto& nest = nest_of(stage);
  stage.thread("source", [&nest] { write_and_post(nest, 0); });
  for (int i = 0; i < 2; ++i)
    stage.thread(numbered("sink", i), [&nest] { wait_and_read(nest, 0); });
}

// Iterations 0 and 1 are another thread's; a member waits for the second of them by taking turns.
void turns(Stage& stage) {
  auto& nest = nest_of(stage);
  stage.thread("source", [&nest] {
    write_and_post(nest, 0);
    write_and_post(nest, 1);
  });
  stage.thread("sink", [&nest] { wait_and_read(nest, 1, kMoreThreadsThanCores); });
}

// Iterations whose bits lie in one byte are posted by two threads.
void neighbours(Stage& stage) {
  auto& nest = nest_of(stage, Posts::Layout::kBits);
  for (uint64_t i = 0; i < 2; ++i)
    stage.thread(numbered("source", static_cast<int>(i)), [&nest, i] { write_and_post(nest, i); });
  stage.thread("sink", [&nest] {
    wait_and_read(nest, 1);
    wait_and_read(nest, 0);
  });
}

TEST(Doacross, Neighbours) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, neighbours));
}
TEST(Doacross, Turns) { expect_holds(explore({.preemptions = 2, .stale_reads = 2}, turns)); }
TEST(Doacross, Chain) { expect_holds(explore({.preemptions = 2, .stale_reads = 2}, chain)); }
TEST(Doacross, TwoWaiters) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, two_waiters));
}
TEST(LongDoacross, Chain) {
  expect_holds(explore({.preemptions = 4, .stale_reads = 3, .spurious = 1}, chain));
}

}  // namespace
}  // namespace vicino::loop
