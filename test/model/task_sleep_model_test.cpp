// task/sleep.hpp: nobody sleeps on while there is work that he was to be woken for, or when what he
// waits for has come.
#include <array>

#include "spares.hpp"
#include "task/deque.hpp"
#include "task/family.hpp"
#include "task/ledger.hpp"
#include "task/sleep.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 1;

struct Item {
  Plain<int> data;
};

// Members, the first of which generates tasks; the others sleep at one gate.
struct Team {
  explicit Team(int members) : size(members) {}
  Sleeper& sleeper(int i) { return sleepers[static_cast<size_t>(i)]; }

  const int size;
  std::array<Sleeper, 3> sleepers;
  plat::atomic<int> sleeping{0};
  sync::Gate bed;
  Ledger ledger;
  Deque<Item> deque{2};
  std::array<Item, 2> items;
};

Team& make_team(Stage& stage, int members) {
  auto& team = stage.make<Team>(members);
  stage.name(team.sleepers, "sleeper");
  stage.name(team.sleeping, "sleeping");
  stage.name(team.bed, "bed");
  stage.name(team.ledger, "ledger");
  stage.name(team.deque, "deque");
  return team;
}

void offer(Team& team, Item& item) {
  item.data.set(1);
  team.deque.push(&item);
  wake_for_work(team, 1, [](int) { return true; });
}

// As a member does that has come back from its bed for nothing.
template <class T>
void poll(const plat::atomic<T>& word, T seen) {
  plat::wait_on(word, seen, plat::Budget{});
}

void leave(Team& team, int64_t balance) {
  if (team.ledger.leave(balance)) team.bed.nudge();
}

// A member without tasks of its own waits for the ledger to be at rest, as at a barrier; and
// runs the tasks that it finds.
void wait_for_rest(Team& team, int id) {
  const auto done = [&] { return team.ledger.over(kEpoch); };
  const auto wanted = [](Item*) { return true; };
  while (!done()) {
    poll(team.ledger.words(), team.ledger.word());
    bool at_work = false;
    const bool work = sleep_in(team, team.sleeper(id), team.bed, done, [&] {
      return look_again(
          team.ledger, kEpoch, at_work, [&] { return team.deque.offers(wanted); },
          [&] { at_work = false, leave(team, 0); });
    });
    if (!work || !team.ledger.enter(kEpoch)) continue;
    Item* item = nullptr;
    if (team.deque.steal(item, wanted) == Deque<Item>::Stolen::kTask)
      MODEL_CHECK(item->data.get() == 1);
    leave(team, item != nullptr ? -1 : 0);
  }
}

// Member 0 has joined before; it offers tasks, which it leaves to the others, and waits for rest.
void generator(Team& team, int tasks) {
  for (int i = 0; i < tasks; ++i) offer(team, team.items[static_cast<size_t>(i)]);
  leave(team, tasks);
  while (!team.ledger.over(kEpoch)) {
    poll(team.ledger.words(), team.ledger.word());
    sleep_in(
        team, team.sleeper(0), team.bed, [&] { return team.ledger.over(kEpoch); },
        [] { return false; });
  }
}

// The tasks get done although who generates them does not run any: then somebody must wake up.
void work_arrives(Stage& stage, int sleepers, int tasks) {
  auto& team = make_team(stage, 1 + sleepers);
  team.ledger.join(kEpoch);
  stage.thread("generator", [&team, tasks] { generator(team, tasks); });
  for (int id = 1; id <= sleepers; ++id)
    stage.thread(numbered("sleeper", id), [&team, id] { wait_for_rest(team, id); });
  stage.finally([&team] {
    MODEL_CHECK(team.sleeping.load(std::memory_order_relaxed) == 0);
    for (Sleeper& sleeper : team.sleepers)
      MODEL_CHECK(sleeper.asleep_at.load(std::memory_order_relaxed) == nullptr);
  });
}

constexpr Bounds kFew = {.preemptions = 2, .stale_reads = 1, .spurious = 0};
constexpr Bounds kOneSwitch = {.preemptions = 1, .stale_reads = 1, .spurious = 0};

TEST(Sleep, WorkArrives) {
  expect_holds(explore(kOneSwitch, [](Stage& stage) { work_arrives(stage, 1, 1); }));
}

TEST(Sleep, WorkArrivesForOneOfTwo) {
  expect_holds(explore({.preemptions = 1, .stale_reads = 0, .spurious = 0},
                       [](Stage& stage) { work_arrives(stage, 2, 1); }));
}

// Members of whom none has work wait for the last one that has.
void rest_comes(Stage& stage, int sleepers) {
  auto& team = make_team(stage, 1 + sleepers);
  team.ledger.join(kEpoch);
  stage.thread("last", [&team] { leave(team, 0); });
  for (int id = 1; id <= sleepers; ++id)
    stage.thread(numbered("sleeper", id), [&team, id] {
      const auto done = [&] { return team.ledger.over(kEpoch); };
      while (!done()) sleep_in(team, team.sleeper(id), team.bed, done, [] { return false; });
    });
}

TEST(Sleep, RestComes) {
  expect_holds(explore({}, [](Stage& stage) { rest_comes(stage, 1); }));
}

TEST(Sleep, RestComesForTwo) {
  expect_holds(explore(kOneSwitch, [](Stage& stage) { rest_comes(stage, 2); }));
}

TEST(LongSleep, RestComesForTwo) {
  expect_holds(explore(kFew, [](Stage& stage) { rest_comes(stage, 2); }));
}

// Nobody else brings work: of two that sleep at the same gate for ever, the one that is woken must
// come. The other has no reason to wake until the first lets it go.
void one_is_called(Stage& stage) {
  auto& team = make_team(stage, 3);
  auto& ready = stage.make_named<plat::atomic<uint32_t>>("ready", 0u);
  auto& over = stage.make_named<plat::atomic<uint32_t>>("over", 0u);
  auto& data = stage.make<Plain<int>>();
  stage.thread("caller", [&team, &ready, &data] {
    data.set(1);
    ready.store(1, std::memory_order_release);
    wake_for_work(team, 1, [](int) { return true; });
  });
  for (int id = 1; id <= 2; ++id)
    stage.thread(numbered("sleeper", id), [&team, &ready, &over, &data, id] {
      const auto done = [&] { return over.load(std::memory_order_acquire) != 0; };
      while (!done()) {
        poll(over, over.load(std::memory_order_relaxed));
        const bool work = sleep_in(team, team.sleeper(id), team.bed, done, [&ready] {
          plat::heavy_fence();
          return ready.load(std::memory_order_relaxed) == 1;
        });
        if (!work || ready.load(std::memory_order_relaxed) != 1) continue;
        if (ready.exchange(2, std::memory_order_acq_rel) != 1) continue;
        MODEL_CHECK(data.get() == 1);
        over.store(1, std::memory_order_release);
        team.bed.open(1);
      }
    });
}

TEST(Sleep, OneIsCalled) { expect_holds(explore(kOneSwitch, one_is_called)); }

TEST(LongSleep, OneIsCalled) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, one_is_called));
}

TEST(LongSleep, WorkArrives) {
  expect_holds(explore(kFew, [](Stage& stage) { work_arrives(stage, 1, 1); }));
}

TEST(LongSleep, Mutants) {
  expect_caught(mutants(kFew, [](Stage& stage) { work_arrives(stage, 1, 1); }));
}

}  // namespace
}  // namespace vicino::task
