// task/ledger.hpp: an epoch is over when no task is left, then and not before, and for good.
#include <array>

#include "spares.hpp"
#include "task/ledger.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 5;

// One slot per task: 1 when it may be taken. The place is all that a deque would give.
struct Team {
  Ledger ledger;
  std::array<plat::atomic<int>, 2> ready{};
  std::array<Plain<int>, 2> result;
  plat::atomic<int> arrived{0};
};

Team& make_team(Stage& stage) {
  auto& team = stage.make<Team>();
  stage.name(team.ledger, "ledger");
  stage.name(team.ready, "ready");
  stage.name(team.result, "result");
  stage.name(team.arrived, "arrived");
  return team;
}

void spawn(Team& team, int64_t& balance, size_t task) {
  ++balance;
  team.ready[task].store(1, std::memory_order_relaxed);
}

// Takes the task if it is there and nobody else does. The first generates the second.
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

// A member that has arrived helps, if there is something to do; then all is done and seen.
void finish(Team& team, size_t tasks) {
  for (int looks = 0;; ++looks) {
    const uint64_t word = team.ledger.word();
    if (Ledger::over_by(word, kEpoch)) break;
    int64_t balance = 0;
    if (looks < 2 && team.ledger.enter(kEpoch)) {
      run_all(team, balance, tasks);
      team.ledger.leave(balance);
    } else {
      plat::wait_on(team.ledger.words(), word, plat::Budget{});
    }
  }
  for (size_t task = 0; task < tasks; ++task) MODEL_CHECK(team.result[task].get() == 1);
  MODEL_CHECK(!team.ledger.enter(kEpoch));
}

void arrive(Team& team, int all) {
  team.arrived.fetch_add(1, std::memory_order_release);
  while (team.arrived.load(std::memory_order_acquire) < all) plat::relax();
}

// The generator leaves before its task is done; others run it, and what it generates.
void epoch(Stage& stage, int members, size_t tasks) {
  auto& team = make_team(stage);
  stage.thread("generator", [&team, members, tasks] {
    int64_t balance = 0;
    team.ledger.join(kEpoch);
    spawn(team, balance, 0);
    team.ledger.leave(balance);
    arrive(team, members);
    finish(team, tasks);
  });
  for (int i = 1; i < members; ++i)
    stage.thread(numbered("M", i), [&team, members, tasks] {
      arrive(team, members);
      finish(team, tasks);
    });
}

// A ledger's next epoch, opened while a member still looks at the last one: that member gets no
// work out of it, and finds its own epoch over.
void next_epoch(Stage& stage) {
  auto& team = make_team(stage);
  team.ledger.join(kEpoch);
  team.ledger.leave(0);
  stage.thread("ahead", [&team] {
    team.ledger.join(kEpoch + 1);
    team.result[0].set(1);
    team.ledger.leave(0);
  });
  stage.thread("behind", [&team] {
    MODEL_CHECK(!team.ledger.enter(kEpoch));
    MODEL_CHECK(team.ledger.over(kEpoch));
  });
  stage.thread("beside", [&team] {
    team.ledger.join(kEpoch + 1);
    team.ledger.leave(0);
  });
  stage.finally([&team] {
    MODEL_CHECK(team.ledger.opened(kEpoch + 1));
    MODEL_CHECK(team.ledger.over(kEpoch + 1));
    MODEL_CHECK(team.result[0].get() == 1);
  });
}

constexpr Bounds kUsual = {.preemptions = 2, .stale_reads = 1, .spurious = 1};

TEST(Ledger, OneTask) {
  expect_holds(explore(kUsual, [](Stage& stage) { epoch(stage, 2, 1); }));
}

TEST(Ledger, TaskOfATask) {
  expect_holds(explore(kUsual, [](Stage& stage) { epoch(stage, 2, 2); }));
}

TEST(Ledger, ThreeMembers) {
  expect_holds(explore({.preemptions = 1, .stale_reads = 1, .spurious = 0},
                       [](Stage& stage) { epoch(stage, 3, 1); }));
}

TEST(Ledger, NextEpoch) { expect_holds(explore({}, next_epoch)); }

// One who leaves the ledger at rest, or not, while two others come and go. Two preemptions and a
// stale read, or a weak CAS that fails for no reason, make more executions than can be tried: so
// either.
TEST(LongLedger, ThreeMembers) {
  const auto three = [](Stage& stage) { epoch(stage, 3, 2); };
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, three));
  expect_holds(explore({.preemptions = 1, .stale_reads = 1, .spurious = 1}, three));
}

TEST(Ledger, Mutants) {
  expect_caught(
      together(
          {mutants(kUsual, [](Stage& stage) { epoch(stage, 2, 2); }), mutants(kUsual, next_epoch)}),
      {{"Ledger::join", "seq_cst -> acq_rel", "A2 of sleep.hpp: Sleep.FirstWork"},
       {"Ledger::enter", "seq_cst -> acq_rel", "A2 of sleep.hpp: Sleep.FirstWork"},
       {"Ledger::enter", "acq_rel -> release", "word() acquires, from the same RMWs"},
       {"Ledger::enter", "acq_rel -> acquire", "who enters has nothing to show yet"},
       {"Ledger::leave", "acq_rel -> release", "who looks whether the epoch is over acquires"},
       {"{anonymous}::finish", "acquire -> relaxed", "of wait_on; then word() is asked"}});
}

}  // namespace
}  // namespace vicino::task
