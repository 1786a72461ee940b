// site/chains.hpp: an item is complete for each thread that finds it (C1, C2 there), it is made
// once, and the members of a team get the same answer when there are too many items (C3, C4 there).
#include <array>

#include "site/chains.hpp"
#include "spares.hpp"

namespace vicino::site {
namespace {

using namespace model;  // NOLINT: a test

struct Item {
  uintptr_t place = 0;
  Plain<int> data;  // read by each thread that finds the item
  Item* next = nullptr;
};

// Replaces Cold, which outlives executions.
struct Guard {
  static inline sync::Lock* lock = nullptr;
  Guard() noexcept { lock->acquire({.ns = 1000}); }
  ~Guard() noexcept { lock->release(); }
  static bool is_held() noexcept { return lock->held(); }
};

constexpr std::size_t kMost = 2, kPlaces = 4;

using Right = Chained<Item, kMost, Guard, 0>;
// A thread that finds the lock held looks at the chain once before it takes the lock.
using Looking = Chained<Item, kMost, Guard, 1>;

// Chained::find with a fault: it looks for the item before it checks whether there is room.
struct Wrong : Right {
  template <class IsIt, class Make>
  Item* find(Chain<Item>& chain, IsIt is_it, Make make) {
    if (Item* known = look(chain, is_it)) return known;
    if (is_full()) return nullptr;
    return Right::find(chain, is_it, make);
  }
};

constexpr std::size_t kChains = 2;  // places 0 and 2 lie in one, 1 and 3 in the other

template <class Places>
struct Shared {
  std::array<Chain<Item>, kChains> chains{};
  Places places;
  sync::Lock lock;
  std::array<Item, kPlaces> items;
  std::array<Plain<int>, kPlaces> made;
  std::array<std::array<Plain<bool>, kPlaces>, 2> found;  // by member
};

template <class Places>
Item* find(Shared<Places>& s, uintptr_t place) {
  Item* item = s.places.find(
      s.chains[place % kChains], [place](const Item& i) { return i.place == place; },
      [&s, place] {
        Item& made = s.items[place];
        made.place = place;
        made.data.set(static_cast<int>(place) + 1);
        s.made[place].set(s.made[place].get() + 1);
        return &made;
      });
  if (item != nullptr) MODEL_CHECK(item->data.get() == static_cast<int>(place) + 1);
  return item;
}

// Two members of a team ask for places 0 .. `count` - 1 in that order; a thread outside the team
// may ask for the last place.
template <class Places>
void team(Stage& stage, uintptr_t count, bool stranger) {
  auto& s = stage.make_named<Shared<Places>>("chains");
  stage.name(s.lock, "lock");
  Guard::lock = &s.lock;
  for (int me = 0; me < 2; ++me)
    stage.thread(numbered("T", me), [&s, me, count] {
      for (uintptr_t place = 0; place < count; ++place)
        s.found[static_cast<size_t>(me)][place].set(find(s, place) != nullptr);
    });
  if (stranger) stage.thread("other", [&s] { find(s, kPlaces - 1); });
  stage.finally([&s, count] {
    for (uintptr_t place = 0; place < count; ++place) {
      MODEL_CHECK(s.found[0][place].get() == s.found[1][place].get());
      MODEL_CHECK(s.made[place].get() == (s.found[0][place].get() ? 1 : 0));
    }
  });
}

constexpr Bounds kFew = {.preemptions = 2, .stale_reads = 1, .spurious = 0};

template <class Places>
Result run(const Bounds& bounds, uintptr_t count, bool stranger) {
  return explore(bounds, [=](Stage& stage) { team<Places>(stage, count, stranger); });
}

TEST(Chains, TwoMembersAsManyPlacesAsThereMayBe) { expect_holds(run<Right>(kFew, 2, false)); }

TEST(Chains, TwoMembersMorePlaces) { expect_holds(run<Right>(kFew, 3, false)); }

TEST(Chains, TwoMembersAndAnother) { expect_holds(run<Right>(kFew, 2, true)); }

TEST(Chains, TwoMembersThatLookMorePlaces) { expect_holds(run<Looking>(kFew, 3, false)); }

TEST(Chains, TwoMembersThatLookAndAnother) { expect_holds(run<Looking>(kFew, 2, true)); }

TEST(LongChains, TwoMembersMorePlaces) { expect_holds(run<Right>({.spurious = 0}, 3, false)); }

TEST(Chains, MembersDifferIfTheItemIsLookedForFirst) {
  expect_fails(run<Wrong>(kFew, 2, false), "found", 60);
}

TEST(Chains, Mutants) {
  expect_caught(mutants({.preemptions = 2, .stale_reads = 2, .spurious = 0},
                        [](Stage& stage) { team<Right>(stage, 3, false); }),
                {kLockSpare});
}

}  // namespace
}  // namespace vicino::site
