// task/holders.hpp with the deque: a thread that sees a task in a member's deque finds the member among the
// holders, also where the member ceased to be one before.
#include <array>

#include "spares.hpp"
#include "task/deque.hpp"
#include "task/holders.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

struct Item {
  Plain<int> runs;
};
using Items = Deque<Item>;

struct Member {
  Member() { holders.reserve(2); }
  // As a member that makes a task.
  void push(size_t number) { holders.push(1, mine, deque, &items[number]); }
  // As a member that looks for a task in vain.
  void run_dry() {
    while (Item* item = deque.pop()) run(*item);
    holders.run_dry(1, mine, deque);
  }
  void run(Item& item) { item.runs.set(item.runs.get() + 1); }

  Holders holders;
  Search mine;
  Items deque{2};
  std::array<Item, 2> items;
};

enum class Between : uint8_t { kNothing, kRunsDry, kMayNotRun };

// Sees a task, then asks, then steals.
void look(Member& victim) {
  Item* seen = nullptr;
  const bool offered = victim.deque.offers([&seen](Item* item) { return seen = item, true; });
  const bool holds = victim.holders.has(1);
  // The last task of all makes the member a holder for good: no other push follows.
  if (offered && seen == &victim.items[1]) MODEL_CHECK(holds);
  Item* item = nullptr;
  if (holds && victim.deque.steal(item, [](Item*) { return true; }) == Items::Stolen::kTask)
    victim.run(*item);
}

Result explored(const Bounds& bounds, int thieves, Between between) {
  return explore(bounds, [=](Stage& stage) {
    auto& member = stage.make_named<Member>("member");
    stage.thread("M", [&member, between] {
      member.push(0);
      if (between == Between::kRunsDry) member.run_dry();
      if (between == Between::kMayNotRun) {
        member.holders.run_dry(1, member.mine, member.deque);
        MODEL_CHECK(member.deque.seems_empty() || member.holders.has(1));  // I1
      }
      member.push(1);
    });
    for (int i = 1; i <= thieves; ++i)
      stage.thread(numbered("T", i), [&member] {
        look(member);
        look(member);
      });
    stage.finally([&member] {
      MODEL_CHECK(member.mine.is_holder() && member.holders.has(1));  // I1, I2
      member.run_dry();
      MODEL_CHECK(!member.mine.is_holder() && !member.holders.has(1));
      for (const Item& item : member.items) MODEL_CHECK(item.runs.get() == 1);
    });
  });
}

TEST(Holders, PushesInARow) { expect_holds(explored({.preemptions = 3}, 1, Between::kNothing)); }
TEST(Holders, RunsDryBetween) { expect_holds(explored({.preemptions = 3}, 1, Between::kRunsDry)); }
TEST(Holders, LooksInVainBesideATask) {
  expect_holds(explored({.preemptions = 3}, 1, Between::kMayNotRun));
}
TEST(LongHolders, TwoLook) { expect_holds(explored({.preemptions = 2}, 2, Between::kRunsDry)); }

}  // namespace
}  // namespace vicino::task
