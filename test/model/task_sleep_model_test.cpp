// task/sleep.hpp: no member stays asleep when there is a task that it should have been woken for,
// or when its wait is over.
#include <algorithm>
#include <array>

#include "spares.hpp"
#include "task/deque.hpp"
#include "task/pending_count.hpp"
#include "task/sleep.hpp"
#include "task/termination.hpp"

namespace vicino::task {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint64_t kEpoch = 1;

struct Item {
  Plain<int> data;
};

// A team whose first member generates tasks; the others sleep at one event count.
struct Team {
  explicit Team(int n) : size(n) {}
  Sleeper& sleeper(int i) { return members[static_cast<size_t>(i)]; }

  const int size;
  std::array<Sleeper, 3> members;
  Sleepers sleepers;
  sync::EventCount event;
  Termination termination;
  Deque<Item> deque{2};
  std::array<Item, 2> items;
};

Team& make_team(Stage& stage, int members) {
  auto& team = stage.make<Team>(members);
  stage.name(team.members, "sleeper");
  stage.name(team.sleepers, "sleepers");
  stage.name(team.event, "event");
  stage.name(team.termination, "termination");
  stage.name(team.deque, "deque");
  return team;
}

void offer(Team& team, Item& item) {
  item.data.set(1);
  team.deque.push(&item);
  wake_for_work(team, 1, [](int) { return true; });
}

// A member that has been woken for nothing does this.
template <class T>
void poll(const plat::atomic<T>& word, T seen) {
  plat::wait_on(word, seen, plat::Budget{});
}

void check_all_awake(Team& team) {
  MODEL_CHECK(team.sleepers.sleeping.load(std::memory_order_relaxed) == 0);
  MODEL_CHECK(team.sleepers.taken.load(std::memory_order_relaxed) == 0);
  for (Sleeper& sleeper : team.members)
    MODEL_CHECK(sleeper.asleep_at.load(std::memory_order_relaxed) == nullptr);
}

void leave(Team& team, int64_t balance) {
  if (team.termination.leave(balance)) team.event.notify();
}

Epoch epoch_of(Team& team) {
  Epoch epoch;
  epoch.begin(team.termination, kEpoch);
  return epoch;
}

// A member without tasks of its own waits for the termination detector to be at rest, as at a
// barrier, and runs the tasks that it finds.
void wait_for_rest(Team& team, int id) {
  const auto done = [&] { return team.termination.over(kEpoch); };
  const auto wanted = [](Item*) { return true; };
  Epoch epoch = epoch_of(team);
  const auto stop_work = [&] {
    if (epoch.leave()) team.event.notify();
  };
  while (!done()) {
    poll(team.termination.words(), team.termination.word());
    const bool work = sleep_in(team.sleepers, team.sleeper(id), team.event, done, [&] {
      return look_again(epoch, [&] { return team.deque.offers(wanted); }, stop_work);
    });
    if (!work || !epoch.enter()) continue;
    Item* item = nullptr;
    if (team.deque.steal(item, wanted) == Deque<Item>::Stolen::kTask) {
      MODEL_CHECK(item->data.get() == 1);
      epoch.finish_one();
    }
    stop_work();
  }
}

// Member 0 has joined already; it offers tasks, leaves them to the others, and waits for the end.
void generator(Team& team, int tasks) {
  for (int i = 0; i < tasks; ++i) offer(team, team.items[static_cast<size_t>(i)]);
  leave(team, tasks);
  while (!team.termination.over(kEpoch)) {
    poll(team.termination.words(), team.termination.word());
    sleep_in(
        team.sleepers, team.sleeper(0), team.event, [&] { return team.termination.over(kEpoch); },
        [] { return false; });
  }
}

// The tasks are run although their generator runs none, so a sleeper must wake up.
void work_arrives(Stage& stage, int sleepers, int tasks) {
  auto& team = make_team(stage, 1 + sleepers);
  team.termination.join(kEpoch);
  stage.thread("generator", [&team, tasks] { generator(team, tasks); });
  for (int id = 1; id <= sleepers; ++id)
    stage.thread(numbered("sleeper", id), [&team, id] { wait_for_rest(team, id); });
  stage.finally([&team] { check_all_awake(team); });
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

// Members without tasks wait for the last member that has one.
void rest_comes(Stage& stage, int sleepers) {
  auto& team = make_team(stage, 1 + sleepers);
  team.termination.join(kEpoch);
  stage.thread("last", [&team] { leave(team, 0); });
  for (int id = 1; id <= sleepers; ++id)
    stage.thread(numbered("sleeper", id), [&team, id] {
      const auto done = [&] { return team.termination.over(kEpoch); };
      while (!done())
        sleep_in(team.sleepers, team.sleeper(id), team.event, done, [] { return false; });
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

// The first task of an epoch: until then a member that goes to sleep can look only at the
// termination detector (A2 of sleep.hpp).
void first_work(Stage& stage) {
  auto& team = make_team(stage, 2);
  auto& over = stage.make_named<plat::atomic<uint32_t>>("over", 0u);
  stage.thread("generator", [&team] {
    team.termination.join(kEpoch);
    offer(team, team.items[0]);
    team.termination.leave(1);
  });
  stage.thread("sleeper", [&team, &over] {
    const auto done = [&] { return over.load(std::memory_order_relaxed) != 0; };
    const auto wanted = [](Item*) { return true; };
    Epoch epoch = epoch_of(team);
    while (!done()) {
      sleep_in(team.sleepers, team.sleeper(1), team.event, done, [&] {
        return look_again(epoch, [&] { return team.deque.offers(wanted); }, [&] { epoch.leave(); });
      });
      Item* item = nullptr;
      if (team.deque.steal(item, wanted) == Deque<Item>::Stolen::kTask)
        over.store(1, std::memory_order_relaxed);
    }
  });
}

TEST(Sleep, FirstWork) { expect_holds(explore({}, first_work)); }

// Only one call comes: of two members that sleep at the same event count for ever, the one that is
// woken must run. The other has no reason to wake until the first lets it go.
void one_is_called(Stage& stage) {
  auto& team = make_team(stage, 3);
  auto& ready = stage.make_named<plat::atomic<uint32_t>>("ready", 0u);
  auto& over = stage.make_named<plat::atomic<uint32_t>>("over", 0u);
  auto& data = stage.make<Plain<int>>();
  stage.thread("caller", [&team, &ready, &data] {
    data.set(1);
    ready.store(1, std::memory_order_release);  // (1), pairs with (2)
    wake_for_work(team, 1, [](int) { return true; });
  });
  for (int id = 1; id <= 2; ++id)
    stage.thread(numbered("sleeper", id), [&team, &ready, &over, &data, id] {
      const auto done = [&] { return over.load(std::memory_order_acquire) != 0; };  // (4)
      while (!done()) {
        poll(over, over.load(std::memory_order_relaxed));
        const bool work = sleep_in(team.sleepers, team.sleeper(id), team.event, done, [&ready] {
          plat::heavy_fence();
          return ready.load(std::memory_order_relaxed) == 1;
        });
        if (!work || ready.load(std::memory_order_relaxed) != 1) continue;
        if (ready.exchange(2, std::memory_order_acq_rel) != 1) continue;  // (2)
        MODEL_CHECK(data.get() == 1);
        over.store(1, std::memory_order_release);  // (3), pairs with (4)
        team.event.advance(1);
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

// Two threads offer a task at once, one of them only to the one sleeper. Both may be about to wake
// it, but only one takes it; all three count the members that were taken and have not come back.
void two_offer(Stage& stage) {
  auto& team = make_team(stage, 1);
  auto& ready = stage.make_named<std::array<plat::atomic<uint32_t>, 2>>("ready");
  const auto may = [](int) { return true; };
  stage.thread("caller", [&team, &ready, may] {
    ready[0].store(1, std::memory_order_relaxed);
    wake_for_work(team, 0, may);
  });
  stage.thread("hander", [&team, &ready, may] {
    ready[1].store(1, std::memory_order_relaxed);
    wake_for_its_work(team, 0, may);
  });
  stage.thread("sleeper", [&team, &ready] {
    const auto is_ready = [](const auto& task) {
      return task.load(std::memory_order_relaxed) == 1;
    };
    for (size_t left = ready.size(); left > 0;) {
      sleep_in(
          team.sleepers, team.sleeper(0), team.event, [] { return false; },
          [&ready, is_ready] {
            plat::heavy_fence();
            return std::ranges::any_of(ready, is_ready);
          });
      for (auto& task : ready)
        if (is_ready(task)) task.store(0, std::memory_order_relaxed), --left;
      plat::relax();  // the member polls before it sleeps again
    }
  });
  stage.finally([&team] { check_all_awake(team); });
}

TEST(Sleep, TwoOffer) { expect_holds(explore(kFew, two_offer)); }

// Two tasks become ready, each for one of two members alone, as aggregates of different nodes do. A
// member that is about to sleep must not hide another that sleeps already: nobody else would run
// that one's task.
struct Ones {
  Team team{2};
  std::array<plat::atomic<uint32_t>, 2> ready;
  std::array<sync::EventCount, 2> events;
};

void one_each(Stage& stage) {
  auto& ones = stage.make<Ones>();
  stage.name(ones.team.members, "sleeper");
  stage.name(ones.team.sleepers, "sleepers");
  stage.name(ones.ready, "ready");
  stage.name(ones.events, "events");
  stage.thread("caller", [&ones] {
    for (const size_t task : {size_t{0}, size_t{1}}) {
      ones.ready[task].store(1, std::memory_order_relaxed);
      wake_for_work(ones.team, 0, [task](int i) { return i == static_cast<int>(task); });
    }
  });
  for (const size_t id : {size_t{0}, size_t{1}})
    stage.thread(numbered("sleeper", static_cast<int>(id)), [&ones, id] {
      const auto is_ready = [&] { return ones.ready[id].load(std::memory_order_relaxed) == 1; };
      while (!is_ready()) {
        sleep_in(
            ones.team.sleepers, ones.team.sleeper(static_cast<int>(id)), ones.events[id],
            [] { return false; }, [&] { return plat::heavy_fence(), is_ready(); });
        plat::relax();
      }
    });
  stage.finally([&ones] { check_all_awake(ones.team); });
}

TEST(Sleep, OneEach) { expect_holds(explore(kOneSwitch, one_each)); }

TEST(LongSleep, OneEach) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, one_each));
}

// A task is for one of two members alone, and both sleep at one event count. The other has no reason to wake
// until the first lets it go, and may set the sleepers bit again just before the first sleeps (A3).
void one_alone(Stage& stage) {
  auto& team = make_team(stage, 2);
  auto& ready = stage.make_named<plat::atomic<uint32_t>>("ready", 0u);
  auto& over = stage.make_named<plat::atomic<uint32_t>>("over", 0u);
  stage.thread("caller", [&team, &ready] {
    ready.store(1, std::memory_order_relaxed);
    wake_for_its_work(team, 0, [](int) { return true; });
  });
  const auto sleep_until = [&team, &stage](const char* name, int id, auto& word, auto then) {
    stage.thread(name, [&team, id, &word, then] {
      const auto is_set = [&word] { return word.load(std::memory_order_relaxed) == 1; };
      while (!is_set()) {
        sleep_in(
            team.sleepers, team.sleeper(id), team.event, [] { return false; },
            [is_set] { return plat::heavy_fence(), is_set(); });
        plat::relax();
      }
      then();
    });
  };
  sleep_until("first", 0, ready, [&team, &over] {
    over.store(1, std::memory_order_relaxed);
    team.event.notify();
  });
  sleep_until("second", 1, over, [] {});
  stage.finally([&team] { check_all_awake(team); });
}

TEST(LongSleep, OneAlone) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, one_alone));
}

// The first member may be taken after it has woken and gone to sleep again, on top of a task under
// which it may not run the ready task. Then the second is woken too (A5 of sleep.hpp). `on` is
// relaxed: `asleep_at` ensures that it is seen in time.
struct Two {
  bool done() const { return over.load(std::memory_order_relaxed) != 0; }
  bool first_goes_on() const { return goes_on.load(std::memory_order_relaxed) != 0 || done(); }
  bool work_waits() const {
    plat::heavy_fence();
    return ready.load(std::memory_order_relaxed) != 0;
  }
  void run() {
    if (ready.exchange(0, std::memory_order_relaxed) == 0) return;
    over.store(1, std::memory_order_relaxed);
    team.event.notify();
    other_event.notify();
  }

  Team team{2};
  sync::EventCount other_event;
  plat::atomic<int> on{0};  // the task that the first member sleeps on top of
  plat::atomic<uint32_t> ready{0}, goes_on{0}, over{0};
};

void slept_again(Stage& stage) {
  auto& two = stage.make<Two>();
  stage.name(two.team.members, "sleeper");
  stage.name(two.team.sleepers, "sleepers");
  stage.name(two.team.event, "event");
  stage.name(two.other_event, "other event");
  stage.name(two.on, "on");
  stage.name(two.ready, "ready");
  stage.name(two.goes_on, "goes_on");
  stage.name(two.over, "over");
  stage.thread("caller", [&two] {
    two.ready.store(1, std::memory_order_relaxed);
    wake_for_work(two.team, 0,
                  [&two](int i) { return i != 0 || two.on.load(std::memory_order_relaxed) == 0; });
  });
  stage.thread("first", [&two] {
    Team& team = two.team;
    while (!two.first_goes_on())
      if (sleep_in(
              team.sleepers, team.sleeper(0), team.event, [&two] { return two.first_goes_on(); },
              [&two] { return two.work_waits(); }))
        two.run();
    two.on.store(1, std::memory_order_relaxed);
    while (!two.done()) {
      sleep_in(
          team.sleepers, team.sleeper(0), team.event, [&two] { return two.done(); },
          [] { return false; });
      poll(two.over, 0u);
    }
  });
  stage.thread("second", [&two] {
    two.goes_on.store(1, std::memory_order_relaxed);
    two.team.event.notify();
    while (!two.done()) {
      if (sleep_in(
              two.team.sleepers, two.team.sleeper(1), two.other_event,
              [&two] { return two.done(); }, [&two] { return two.work_waits(); }))
        two.run();
      else
        poll(two.over, 0u);
    }
  });
  stage.finally([&two] { check_all_awake(two.team); });
}

TEST(Sleep, SleptAgain) { expect_holds(explore(kOneSwitch, slept_again)); }

TEST(LongSleep, SleptAgain) { expect_holds(explore(kFew, slept_again)); }

// Only the mutants of sleep.hpp: deques, termination detectors and event counts have tests of their
// own. No member sleeps for ever without the spare orders:
//  - A member that was taken sees all that was done before it was taken. Without that it would find
//    the task at its next look, which follows a heavy fence (A1 of sleep.hpp).
TEST(LongSleep, Mutants) {
  const std::vector<std::string> files{"sleep.hpp"};
  const Mutants all = together({
      mutants(
          kOneSwitch, [](Stage& stage) { rest_comes(stage, 2); }, files),
      mutants(kOneSwitch, first_work, files),
      mutants(
          kFew, [](Stage& stage) { work_arrives(stage, 1, 1); }, files),
      mutants(kFew, two_offer, files),
      mutants(kFew, slept_again, files),
      mutants(kOneSwitch, one_each, files),
  });
  expect_caught(all,
                {{"task::sleep_in", "acquire -> relaxed", "it looks after a fence"},
                 {"task::wake (", "acq_rel -> acquire", "a taken member looks after a fence"}});
}

}  // namespace
}  // namespace vicino::task
