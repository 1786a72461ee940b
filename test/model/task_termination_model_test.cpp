// task/termination.hpp: an epoch is over exactly when no task is left, and it stays over.
#include <array>

#include "spares.hpp"
#include "task/termination.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 5;

// One slot for each task: 1 when the task may be taken. A deque would give only this place.
struct Team {
  Termination termination;
  std::array<plat::atomic<int>, 2> ready{};
  std::array<Plain<int>, 2> result;
  plat::atomic<int> arrived{0};
};

Team& make_team(Stage& stage) {
  auto& team = stage.make<Team>();
  stage.name(team.termination, "termination");
  stage.name(team.ready, "ready");
  stage.name(team.result, "result");
  stage.name(team.arrived, "arrived");
  return team;
}

void spawn(Team& team, int64_t& balance, size_t task) {
  ++balance;
  team.ready[task].store(1, std::memory_order_relaxed);
}

// Takes the task if it is there and no other member takes it. The first task generates the second.
bool run(Team& team, int64_t& balance, size_t task, size_t tasks) {
  int ready = 1;
  if (!team.ready[task].compare_exchange_strong(ready, 2, std::memory_order_relaxed,
                                                std::memory_order_relaxed))
    return false;
  if (task + 1 < tasks) spawn(team, balance, task + 1);
  team.result[task].set(1);
  --balance;
  return true;
}

void run_all(Team& team, int64_t& balance, size_t tasks) {
  for (size_t task = 0; task < tasks; ++task) run(team, balance, task, tasks);
}

// A member that has arrived helps while there are tasks; then it sees the results of all tasks.
void finish(Team& team, size_t tasks) {
  for (int looks = 0;; ++looks) {
    const uint64_t word = team.termination.word();
    if (Termination::over_by(word, kEpoch)) break;
    int64_t balance = 0;
    if (looks < 2 && team.termination.enter(kEpoch)) {
      run_all(team, balance, tasks);
      team.termination.leave(balance);
    } else {
      plat::wait_on(team.termination.words(), word, plat::Budget{});
    }
  }
  for (size_t task = 0; task < tasks; ++task) MODEL_CHECK(team.result[task].get() == 1);
  MODEL_CHECK(!team.termination.enter(kEpoch));
}

// Arrives as at a barrier: each arrival's release pairs with the acquire of the loads.
void arrive(Team& team, int all) {
  team.arrived.fetch_add(1, std::memory_order_release);
  while (team.arrived.load(std::memory_order_acquire) < all) plat::relax();
}

// The generator leaves before its task is done; others run that task and the one that it generates.
void epoch(Stage& stage, int members, size_t tasks) {
  auto& team = make_team(stage);
  stage.thread("generator", [&team, members, tasks] {
    int64_t balance = 0;
    team.termination.join(kEpoch);
    spawn(team, balance, 0);
    team.termination.leave(balance);
    arrive(team, members);
    finish(team, tasks);
  });
  for (int i = 1; i < members; ++i)
    stage.thread(numbered("M", i), [&team, members, tasks] {
      arrive(team, members);
      finish(team, tasks);
    });
}

// A termination detector's next epoch begins while a member still looks at the last one: that
// member gets no task of the new epoch, and finds its own epoch over.
void next_epoch(Stage& stage) {
  auto& team = make_team(stage);
  team.termination.join(kEpoch);
  team.termination.leave(0);
  stage.thread("ahead", [&team] {
    team.termination.join(kEpoch + 1);
    team.result[0].set(1);
    team.termination.leave(0);
  });
  stage.thread("behind", [&team] {
    MODEL_CHECK(!team.termination.enter(kEpoch));
    MODEL_CHECK(team.termination.over(kEpoch));
  });
  stage.thread("beside", [&team] {
    team.termination.join(kEpoch + 1);
    team.termination.leave(0);
  });
  stage.finally([&team] {
    MODEL_CHECK(team.termination.opened(kEpoch + 1));
    MODEL_CHECK(team.termination.over(kEpoch + 1));
    MODEL_CHECK(team.result[0].get() == 1);
  });
}

constexpr Bounds kUsual = {.preemptions = 2, .stale_reads = 1, .spurious = 1};

TEST(Termination, OneTask) {
  expect_holds(explore(kUsual, [](Stage& stage) { epoch(stage, 2, 1); }));
}

TEST(Termination, TaskOfATask) {
  expect_holds(explore(kUsual, [](Stage& stage) { epoch(stage, 2, 2); }));
}

TEST(Termination, ThreeMembers) {
  expect_holds(explore({.preemptions = 1, .stale_reads = 1, .spurious = 0},
                       [](Stage& stage) { epoch(stage, 3, 1); }));
}

TEST(Termination, NextEpoch) { expect_holds(explore({}, next_epoch)); }

// One member leaves, whether the termination detector is then at rest or not, while two others
// enter and leave. Two preemptions together with a stale read or a weak CAS that fails spuriously
// make too many executions, so each is tried without the other.
TEST(LongTermination, ThreeMembers) {
  const auto three = [](Stage& stage) { epoch(stage, 3, 2); };
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, three));
  expect_holds(explore({.preemptions = 1, .stale_reads = 1, .spurious = 1}, three));
}

TEST(Termination, Mutants) {
  expect_caught(
      together(
          {mutants(kUsual, [](Stage& stage) { epoch(stage, 2, 2); }), mutants(kUsual, next_epoch)}),
      {{"Termination::join", "seq_cst -> acq_rel", "A2 of sleep.hpp: Sleep.FirstWork"},
       {"Termination::enter", "seq_cst -> acq_rel", "A2 of sleep.hpp: Sleep.FirstWork"},
       {"Termination::enter", "acq_rel -> release", "word() acquires, from the same RMWs"},
       {"Termination::enter", "acq_rel -> acquire", "an entering member has published nothing yet"},
       {"Termination::leave", "acq_rel -> release", "the check for the end of the epoch acquires"},
       {"{anonymous}::finish", "acquire -> relaxed", "in wait_on; word() is read after it"}});
}

}  // namespace
}  // namespace vicino::task
