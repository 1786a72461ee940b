// task/attend.hpp: a member that waits twice in a row runs tasks meanwhile, and whatever it was
// doing when the first wait ended, the epoch comes to its end.
#include <utility>

#include "spares.hpp"
#include "task/attend.hpp"
#include "task/deque.hpp"
#include "task/ledger.hpp"
#include "task/sleep.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 1;
constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);

struct Item {
  Plain<int> data;
};

// The primary thread spawns a task, passes a gate that the worker waits at, waits for all tasks,
// and then calls the worker up for the next region.
struct Team {
  Sleeper& sleeper(int i) { return members[i]; }

  const int size = 2;
  Sleeper members[2];
  Sleepers sleepers;
  sync::Gate met, go, rest;
  Ledger ledger;
  Deque<Item> deque{2};  // the primary's
  Item item;
  Plain<int> before_met, before_go, done;
};

// As a member of team/ waits and helps, reduced to what matters here.
class Waiter {
 public:
  Waiter(Team& team, int id) : team_(team), id_(id) {}

  void join() {
    team_.ledger.join(kEpoch);
    at_work_ = true;
  }
  void spawn(Item& item) {
    ++balance_;
    team_.deque.push(&item);
    wake_for_work(team_, id_ + 1, [](int) { return true; });
  }

  // From now on a look is taken only where a task lies, as by one who forgets that he is counted.
  void spare_looks() { spares_looks_ = true; }

  bool tasks_about() const {
    return team_.ledger.opened(kEpoch) && (!spares_looks_ || team_.deque.offers(kAny));
  }
  bool has_own() const { return false; }
  bool help() {
    if (!at_work_ && !team_.ledger.enter(kEpoch)) return false;
    at_work_ = true;
    Item* item = find();
    if (item == nullptr) return stop_work(), false;
    MODEL_CHECK(item->data.get() == 1);
    team_.done.set(1);
    --balance_;
    return true;
  }
  template <class Done>
  bool sleep(sync::Gate& bed, Done done) {
    return sleep_in(team_.sleepers, team_.sleeper(id_), bed, done, [this] {
      return look_again(
          team_.ledger, kEpoch, at_work_, [this] { return id_ != 0 && team_.deque.offers(kAny); },
          [this] { stop_work(); });
    });
  }
  void stop_work() {
    at_work_ = false;
    if (team_.ledger.leave(std::exchange(balance_, 0))) team_.rest.nudge();
  }

  template <class Ready>
  void wait(const plat::atomic<uint64_t>& word, sync::Gate& bed, Ready ready) {
    sync::Patience patience;
    attend(*this, word, bed, ready, {patience, kLimits});
  }
  void wait_at(sync::Gate& gate) {
    wait(gate.word(), gate, [](uint64_t word) { return sync::Gate::value_of(word) >= 1; });
  }
  void wait_for_rest() {
    wait(team_.ledger.words(), team_.rest,
         [](uint64_t word) { return Ledger::over_by(word, kEpoch); });
  }

 private:
  static constexpr auto kAny = [](Item*) { return true; };

  // The primary leaves its task to the worker.
  Item* find() {
    Item* item = nullptr;
    if (id_ == 0) return item;
    while (team_.deque.steal(item, kAny) == Deque<Item>::Stolen::kLostRace) {
    }
    return item;
  }

  Team& team_;
  int id_;
  bool at_work_ = false, spares_looks_ = false;
  int64_t balance_ = 0;
};

Team& make_team(Stage& stage) {
  auto& team = stage.make<Team>();
  stage.name(team.members, "sleeper");
  stage.name(team.sleepers, "sleepers");
  stage.name(team.met, "met");
  stage.name(team.go, "go");
  stage.name(team.rest, "rest");
  stage.name(team.ledger, "ledger");
  stage.name(team.deque, "deque");
  return team;
}

// Spawns the task, and opens the first gate.
void begin(Team& team, Waiter& me) {
  me.join();
  team.item.data.set(1);
  me.spawn(team.item);
  team.before_met.set(1);
  team.met.open(1);
  me.stop_work();
}

enum class Worker { kLooks, kSparesLooks };

// The worker may be running the task, or be about to look for one, when its first wait is over.
void two_waits(Stage& stage, Worker worker) {
  auto& team = make_team(stage);
  stage.thread("primary", [&team] {
    Waiter me(team, 0);
    begin(team, me);
    me.wait_for_rest();
    MODEL_CHECK(team.done.get() == 1);
    team.before_go.set(1);
    team.go.open(1);
  });
  stage.thread("worker", [&team, worker] {
    Waiter me(team, 1);
    me.wait_at(team.met);
    MODEL_CHECK(team.before_met.get() == 1);
    if (worker == Worker::kSparesLooks) me.spare_looks();
    me.wait_at(team.go);
    MODEL_CHECK(team.before_go.get() == 1);
  });
  stage.finally([&team] {
    MODEL_CHECK(team.sleepers.sleeping.load(std::memory_order_relaxed) == 0);
    MODEL_CHECK(team.sleepers.taken.load(std::memory_order_relaxed) == 0);
  });
}

// The first of them alone, for more switches.
void one_wait(Stage& stage) {
  auto& team = make_team(stage);
  stage.thread("primary", [&team] {
    Waiter me(team, 0);
    begin(team, me);
  });
  stage.thread("worker", [&team] {
    Waiter me(team, 1);
    me.wait_at(team.met);
    MODEL_CHECK(team.before_met.get() == 1);
  });
}

void both_waits(Stage& stage) { two_waits(stage, Worker::kLooks); }

void without_last_look(Stage& stage) { two_waits(stage, Worker::kSparesLooks); }

constexpr Bounds kOneSwitch = {.preemptions = 1, .stale_reads = 0, .spurious = 0};

constexpr Bounds kTwoSwitches = {.preemptions = 2, .stale_reads = 0, .spurious = 0};

TEST(Attend, TwoWaits) { expect_holds(explore(kOneSwitch, both_waits)); }

// What the last look before the sleep is for (T1): the worker has run the task, its first wait is
// over, and it sleeps for the next region while the ledger waits for it.
TEST(Attend, WithoutTheLastLookTheEpochNeverEnds) {
  expect_fails(explore(kOneSwitch, without_last_look), "worker sleeps on go", 100);
}

// Those of attend.hpp alone: the rest has tests of its own.
TEST(LongAttend, Mutants) {
  Mutants all = together({mutants(kOneSwitch, both_waits), mutants(kTwoSwitches, one_wait)});
  std::erase_if(all.all, [](const Mutant& mutant) {
    return mutant.what.find("(attend.hpp") == std::string::npos;
  });
  constexpr auto kWhy = "of the sleep's done(): after it the word is loaded again";
  expect_caught(all, {{"Waiter::wait_for_rest", "acquire -> relaxed", kWhy},
                      {"Waiter::wait_at", "acquire -> relaxed", kWhy}});
}

TEST(LongAttend, TwoWaits) { expect_holds(explore(kTwoSwitches, both_waits)); }

}  // namespace
}  // namespace vicino::task
