// task/attend.hpp: a member that waits twice in a row runs tasks meanwhile. The epoch ends,
// whatever the member was doing when its first wait ended.
#include "spares.hpp"
#include "task/attend.hpp"
#include "task/deque.hpp"
#include "task/sleep.hpp"
#include "task/termination.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 1;
constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);

struct Item {
  Plain<int> data;
};

// The primary thread spawns a task, advances an event count on which the worker waits, waits for
// all tasks, and then calls the worker for the next region.
struct Team {
  Sleeper& sleeper(int i) { return members[i]; }

  const int size = 2;
  Sleeper members[2];
  Sleepers sleepers;
  sync::EventCount met, go, rest;
  Termination termination;
  Deque<Item> deque{2};  // it belongs to the primary
  Item item;
  Plain<int> before_met, before_go, done;
};

// A member of team/ that waits and helps, reduced to what matters here.
class Waiter {
 public:
  Waiter(Team& team, int id) : team_(team), id_(id) { epoch_.begin(team.termination, kEpoch); }

  void join() { epoch_.join(); }
  void spawn(Item& item) {
    epoch_.spawn_one();
    team_.deque.push(&item);
    wake_for_work(team_, id_ + 1, [](int) { return true; });
  }

  // From now on this member looks only when a task is there, as if it forgot that it is counted.
  void spare_looks() { spares_looks_ = true; }

  bool tasks_about() const {
    return epoch_.has_tasks() && (!spares_looks_ || team_.deque.offers(kAny));
  }
  bool may_find() const { return epoch_.is_at_work() || team_.deque.offers(kAny); }
  void look_in_vain() const {}
  unsigned own_tasks() const { return 0; }
  bool help() {
    if (!epoch_.enter()) return false;
    Item* item = find();
    if (item == nullptr) return stop_work(), false;
    MODEL_CHECK(item->data.get() == 1);
    team_.done.set(1);
    epoch_.finish_one();
    return true;
  }
  template <class Done>
  bool sleep(sync::EventCount& event, Done done) {
    return sleep_in(team_.sleepers, team_.sleeper(id_), event, done, [this] {
      return look_again(
          epoch_, [this] { return id_ != 0 && team_.deque.offers(kAny); }, [this] { stop_work(); });
    });
  }
  void stop_work() {
    if (epoch_.leave()) team_.rest.notify();
  }

  template <class Ready>
  void wait(const plat::atomic<uint64_t>& word, sync::EventCount& event, Ready ready) {
    sync::Patience patience;
    attend(*this, word, event, ready, {patience, kLimits});
  }
  void wait_at(sync::EventCount& event) {
    wait(event.word(), event, [](uint64_t word) { return sync::EventCount::value_of(word) >= 1; });
  }
  void wait_for_rest() {
    wait(team_.termination.words(), team_.rest,
         [](uint64_t word) { return Termination::over_by(word, kEpoch); });
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
  Epoch epoch_;
  bool spares_looks_ = false;
};

Team& make_team(Stage& stage) {
  auto& team = stage.make<Team>();
  stage.name(team.members, "sleeper");
  stage.name(team.sleepers, "sleepers");
  stage.name(team.met, "met");
  stage.name(team.go, "go");
  stage.name(team.rest, "rest");
  stage.name(team.termination, "termination");
  stage.name(team.deque, "deque");
  return team;
}

// Spawns the task and advances the first event count.
void begin(Team& team, Waiter& me) {
  me.join();
  team.item.data.set(1);
  me.spawn(team.item);
  team.before_met.set(1);
  team.met.advance(1);
  me.stop_work();
}

enum class Worker { kLooks, kSparesLooks };

// The worker may be running the task, or about to look for one, when its first wait ends.
void two_waits(Stage& stage, Worker worker) {
  auto& team = make_team(stage);
  stage.thread("primary", [&team] {
    Waiter me(team, 0);
    begin(team, me);
    me.wait_for_rest();
    MODEL_CHECK(team.done.get() == 1);
    team.before_go.set(1);
    team.go.advance(1);
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

// Only the first wait, with more switches.
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

// The reason for the last look before the sleep (T1 of attend.hpp): the worker has run the task,
// its first wait is over, and it sleeps for the next region while the termination detector waits
// for it.
TEST(Attend, WithoutTheLastLookTheEpochNeverEnds) {
  expect_fails(explore(kOneSwitch, without_last_look), "worker sleeps on go", 100);
}

// Only the mutants of attend.hpp: the other files have tests of their own.
TEST(LongAttend, Mutants) {
  Mutants all = together({mutants(kOneSwitch, both_waits), mutants(kTwoSwitches, one_wait)});
  std::erase_if(all.all, [](const Mutant& mutant) {
    return mutant.what.find("(attend.hpp") == std::string::npos;
  });
  expect_caught(all, {});
}

TEST(LongAttend, TwoWaits) { expect_holds(explore(kTwoSwitches, both_waits)); }

}  // namespace
}  // namespace vicino::task
