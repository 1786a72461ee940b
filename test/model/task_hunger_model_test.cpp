// Hunger and Idle of task/sleep.hpp: the count is that of the members that look, and a member that looked before it
// slept was seen by whoever queued a task later.
#include <array>
#include <optional>

#include "spares.hpp"
#include "task/deque.hpp"
#include "task/sleep.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

struct Item {
  Plain<int> runs;
};

struct Team {
  int size = 3;
  Sleeper& sleeper(int i) { return members[static_cast<size_t>(i)]; }

  Hunger hunger, starvation;
  std::array<Sleeper, 3> members;
  Sleepers sleepers;
  sync::EventCount event;
  Deque<Item> deque{2};
  std::array<Item, 2> items;
  plat::atomic<uint64_t> done{0};
};

void run(Team& team, Item& item) {
  item.runs.set(item.runs.get() + 1);
  team.done.fetch_add(1, std::memory_order_acq_rel);
  team.event.notify();
}

// The member makes the tasks: each is queued if somebody looks for one, and else is a call.
void generate(Team& team, size_t tasks) {
  for (size_t i = 0; i < tasks; ++i) {
    if (!team.hunger.is_felt()) {
      run(team, team.items[i]);
      continue;
    }
    team.deque.push(&team.items[i]);
    wake_for_work(team, 1, [](int) { return true; });
  }
  while (Item* item = team.deque.pop()) run(team, *item);
}

// A member without tasks of its own: it looks, says so, and sleeps until all are done.
void look(Team& team, size_t id, uint64_t tasks) {
  const auto done = [&] { return team.done.load(std::memory_order_acquire) == tasks; };
  const auto wanted = [](Item*) { return true; };
  Idle idle(team);
  while (!done()) {
    Item* item = nullptr;
    if (team.deque.steal(item, wanted) == Deque<Item>::Stolen::kTask) {
      idle.found();
      run(team, *item);
      continue;
    }
    idle.look_in_vain();
    sleep_in(team.sleepers, team.sleeper(static_cast<int>(id)), team.event, done, [&] {
      plat::heavy_fence();
      return team.deque.offers(wanted);
    });
  }
}

Result explored(const Bounds& bounds, size_t lookers, size_t tasks) {
  return explore(bounds, [=](Stage& stage) {
    auto& team = stage.make_named<Team>("team");
    team.size = static_cast<int>(lookers) + 1;
    stage.thread("G", [&team, tasks] { generate(team, tasks); });
    for (size_t i = 1; i <= lookers; ++i)
      stage.thread(numbered("L", static_cast<int>(i)), [&team, i, tasks] { look(team, i, tasks); });
    stage.finally([&team, tasks] {
      MODEL_CHECK(!team.hunger.is_felt());  // H1, H3
      for (size_t i = 0; i < tasks; ++i) MODEL_CHECK(team.items[i].runs.get() == 1);
    });
  });
}

// Members begin to look while others end; `stays`: one of them still looks.
Result told(const Bounds& bounds, int members, bool stays) {
  return explore(bounds, [=](Stage& stage) {
    auto& team = stage.make_named<Team>("team");
    auto& last = stage.make<std::optional<Idle>>();
    for (int i = 1; i < members; ++i)
      stage.thread(numbered("L", i), [&team] { Idle(team).look_in_vain(); });
    stage.thread("last", [&team, &last, stays] {
      last.emplace(team).look_in_vain();
      if (!stays) last.reset();
    });
    stage.finally([&team, &last, stays] {
      MODEL_CHECK(team.hunger.is_felt() == stays);  // H3
      last.reset();
    });
  });
}

// A member counts once, however often it looks, and among those that starve from its fourth look on or when it
// is told to.
TEST(Idle, AMemberStarvesOnceItHasLookedInVainForLong) {
  expect_holds(explore({}, [](Stage& stage) {
    auto& team = stage.make_named<Team>("team");
    stage.thread("L", [&team] {
      const auto felt = [&team](bool hunger, bool starvation) {
        MODEL_CHECK(team.hunger.is_felt() == hunger);
        MODEL_CHECK(team.starvation.is_felt() == starvation);
      };
      Idle idle(team);
      idle.starve();
      felt(false, false);
      for (int round = 0; round < 2; ++round) {
        for (int look = 1; look <= 10; ++look) {
          idle.look_in_vain();
          felt(true, look >= 4);
        }
        idle.found();
        felt(false, false);
      }
      {
        Idle other(team);
        other.look_in_vain();
        other.starve();
        other.starve();
        other.look_in_vain();
        idle.look_in_vain();
        felt(true, true);
      }
      felt(true, false);
    });
    stage.finally([&team] { MODEL_CHECK(!team.hunger.is_felt() && !team.starvation.is_felt()); });
  }));
}

TEST(Hunger, IsTold) {
  for (const bool stays : {false, true}) expect_holds(told({.preemptions = 3}, 2, stays));
  expect_holds(told({.preemptions = 2}, 3, true));
}

TEST(Hunger, OneLooksOneGenerates) {
  expect_holds(explored({.preemptions = 2}, 1, 1));
  expect_holds(explored({.preemptions = 1}, 1, 2));
}

TEST(Hunger, TwoLook) { expect_holds(explored({.preemptions = 1}, 2, 1)); }
TEST(LongHunger, TwoLook) { expect_holds(explored({.preemptions = 2}, 2, 1)); }
TEST(LongHunger, OneLooksOneGenerates) { expect_holds(explored({.preemptions = 2}, 1, 2)); }

}  // namespace
}  // namespace vicino::task
