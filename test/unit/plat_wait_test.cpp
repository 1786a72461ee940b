// How a thread polls: what ends the polling, and how often each question is asked. Most tests have
// one thread, so that only the answers decide.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "plat/lost_time.hpp"
#include "task/attend.hpp"

namespace vicino {
namespace {

constexpr uint64_t kNoEnd = UINT64_MAX / 4;

TEST(WaitOn, ANewValueIsGivenAtOnce) {
  plat::Budget budget{kNoEnd};
  EXPECT_EQ(plat::wait_on(plat::atomic<uint64_t>(8), uint64_t{7}, budget), 8u);
}

TEST(WaitOn, WithoutABudgetNothingIsAsked) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{0};
  bool asked = false;
  const auto ask = [&asked] { return asked = true; };
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, ask, ask), 7u);
  EXPECT_FALSE(asked);
}

TEST(WaitOn, AGlanceEndsIt) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{.ns = kNoEnd, .share_core = true};  // any thread may take the core
  int glances = 0;
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, [&] { return ++glances == 3; }), 7u);
  EXPECT_EQ(glances, 3);
}

TEST(WaitOn, APeekIsTakenAtEachPollAndEndsIt) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{kNoEnd};
  int peeks = 0, glances = 0;
  const auto glance = [&] { return ++glances == 1000; };
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, glance, [&] { return ++peeks == 3; }), 7u);
  EXPECT_EQ(glances, 0);
}

TEST(WaitOn, TheBudgetRunsOut) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{1000};
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget), 7u);
}

// How often the thread slept in a wait that nobody ends.
long sleeps_in(plat::Budget budget) {
  const plat::atomic<uint64_t> word(7);
  rusage before, after;
  getrusage(RUSAGE_THREAD, &before);
  plat::wait_on(word, uint64_t{7}, budget);
  getrusage(RUSAGE_THREAD, &after);
  return after.ru_nvcsw - before.ru_nvcsw;
}

TEST(WaitOn, ALongOneSleepsForAMoment) {
  // Twice in 0.4 ms.
  const auto most_of_three = [](plat::Budget budget) {
    long most = 0;
    for (int i = 0; i < 3; ++i) most = std::max(most, sleeps_in(budget));
    return most;
  };
  EXPECT_GE(most_of_three({.ns = 400'000, .heeds_crowd = true}), 2);
  EXPECT_EQ(most_of_three({.ns = 400'000, .heeds_crowd = false}), 0);  // the user's
  EXPECT_EQ(most_of_three({.ns = 400'000, .share_core = true, .heeds_crowd = true}), 0);
}

// Whoever polls on after a glance or a peek has used what it polled before.
TEST(WaitOn, WhatAGlanceOrAPeekEndsUsesTheBudget) {
  const plat::atomic<uint64_t> word(7);
  for (const bool by_peek : {false, true}) {
    plat::Budget budget{1'000'000};
    for (int calls = 0; calls < 1'000'000 && budget.ns != 0; ++calls) {
      int looks = 0;
      const auto glance = [&] { return ++looks == 2 && !by_peek; };
      plat::wait_on(word, uint64_t{7}, budget, glance, [&] { return looks == 2; });
    }
    EXPECT_EQ(budget.ns, 0u);
  }
}

// Between two looks at the clock the thread does not run for as long as a time slice lasts, but does
// not wait for a CPU: so it is with a virtual machine that stands still.
TEST(WaitOn, TimeLostToNobodyDoesNotEndIt) {
  const plat::atomic<uint64_t> word(7);
  for (const bool heeds : {false, true}) {
    plat::Budget budget{.ns = kNoEnd, .heeds_crowd = heeds};
    int glances = 0;
    const auto lose_time = [&] {
      plat::sleep_on(word, uint64_t{7}, 2'000'000);
      return ++glances == 2;
    };
    EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, lose_time), 7u);
    EXPECT_EQ(glances, 2);
  }
}

uint64_t busy_for(uint64_t ns) {
  const uint64_t end = plat::now() + ns;
  while (plat::now() < end) plat::relax();
  return ns;
}

long times_interrupted() {
  rusage used;
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw;
}

// Polls may be slow because many threads want the line: then no other thread had the core.
TEST(WaitOn, SlowPollsAreNoLostCore) {
  const plat::atomic<uint64_t> word(7);
  int undisturbed = 0;
  for (int attempt = 0; attempt < 1000 && undisturbed < 3; ++attempt) {
    plat::Budget budget{kNoEnd};
    int glances = 0;
    const auto count = [&glances] { return ++glances == 3; };
    const auto slow = [] { return busy_for(2'000) == 0; };
    plat::detail::was_switched();
    const long before = times_interrupted();
    plat::wait_on(word, uint64_t{7}, budget, count, slow);
    if (times_interrupted() != before) continue;  // other load
    ++undisturbed;
    EXPECT_FALSE(budget.lost_core);
    EXPECT_EQ(glances, 3);
  }
  // Where others want the CPU all the time, each offer is taken.
  if (undisturbed < 3) GTEST_SKIP() << "other processes took the CPU in nearly all of 1000 waits";
}

// The calling thread stays on its CPU, and another thread takes each offer of it, for `ns`.
class Taker {
 public:
  explicit Taker(uint64_t ns) : ns_(ns) {
    sched_getaffinity(0, sizeof callers_, &callers_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    thread_ = std::thread([this] {  // with the same affinity
      while (!over_) {
        busy_for(ns_);
        plat::yield();
      }
    });
  }
  ~Taker() {
    over_ = true;
    thread_.join();
    sched_setaffinity(0, sizeof callers_, &callers_);
  }
  void take(uint64_t ns) { ns_ = ns; }

 private:
  std::atomic<uint64_t> ns_;
  std::atomic<bool> over_ = false;
  cpu_set_t callers_;
  std::thread thread_;
};
constexpr uint64_t kMoment = 20'000, kMoreThanASlice = 2'000'000;

// Whether a wait beside one that gives the core back soon ends before the last of `most` glances.
bool ends_beside_a_taker(int most) {
  const Taker other(kMoment);
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{.ns = kNoEnd, .heeds_crowd = false};
  int glances = 0;
  plat::wait_on(word, uint64_t{7}, budget, [&] { return ++glances == most; });
  EXPECT_EQ(budget.lost_core, glances < most);
  return glances < most;
}

TEST(WaitOn, AThreadThatTakesEachOfferEndsIt) {
  plat::set_known_threads(1000);
  EXPECT_TRUE(ends_beside_a_taker(1'000'000));
  plat::set_known_threads(0);
}

TEST(WaitOn, AThreadThatVicinoDoesNotKnowIsServed) { EXPECT_FALSE(ends_beside_a_taker(1'000)); }

// How often the calling thread's core is taken in 50 waits of `ns`.
long taken_in_waits_of(uint64_t ns) {
  const plat::atomic<uint64_t> word(7);
  const long before = times_interrupted();
  for (int wait = 0; wait < 50; ++wait) {
    plat::Budget budget{ns};
    plat::wait_on(word, uint64_t{7}, budget);
  }
  return times_interrupted() - before;
}

// Of the machine, with this one and its taker.
int ready_threads() {
  float load[3];
  int ready = 0;
  std::ifstream("/proc/loadavg") >> load[0] >> load[1] >> load[2] >> ready;
  return ready;
}

// In a thread that has not waited before.
TEST(WaitOn, ACoreIsHeldWhileOffersOfItAreDear) {
  std::thread([] {
    Taker other(kMoreThanASlice);
    plat::Budget budget{};
    for (int wait = 0; wait < 100 && !budget.lost_slice; ++wait) {  // the other thread may begin late
      budget.ns = 100'000;
      plat::wait_on(plat::atomic<uint64_t>(7), uint64_t{7}, budget);
    }
    EXPECT_TRUE(budget.lost_slice);
    EXPECT_LE(taken_in_waits_of(10'000), 10);
    other.take(kMoment);
    long taken = 0;
    for (int attempt = 0; attempt < 20 && taken < 20; ++attempt) {  // other load
      taken_in_waits_of(200'000);
      taken = taken_in_waits_of(10'000);
    }
    if (taken < 20 && ready_threads() > 2) GTEST_SKIP() << "other processes take time slices";
    EXPECT_GE(taken, 20);
  }).join();
}

// A control group's cpu.stat that a test writes.
class Stat {
 public:
  Stat() : path_(testing::TempDir() + "vicino_stat_" + std::to_string(getpid())) {
    write();
    watch(path_);
  }
  ~Stat() {
    watch("/dev/null");
    unlink(path_.c_str());
  }
  // The quota was used up once more. The lines are those of version 2.
  void throttle() { ++times_, write(); }

 private:
  // The name is never freed: a thread may be reading it. A process watches one file.
  static void watch(const std::string& path) {
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler kept;
#endif
    plat::watch_quota(path);
  }
  void write() {
    std::ofstream(path_) << "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec " << times_
                         << "\nnr_bursts 0\n";
  }
  std::string path_;
  int times_ = 0;
};

// In a thread that has not asked before.
TEST(UsedUpQuota, MayBeTheReasonUnlessTheThreadIsSoonAwayAgain) {
  Stat stat;
  std::thread([&stat] {
    const auto ask = [] { return plat::was_throttled(); };
    const auto ask_until_told = [&] {
      EXPECT_TRUE(ask());
      EXPECT_FALSE(ask());
      EXPECT_FALSE(ask());
    };
    ask_until_told();
    for (int period = 0; period < 3; ++period) {
      stat.throttle();
      EXPECT_TRUE(ask());
      ask_until_told();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ask_until_told();
  }).join();
}

// How often a waiting thread looks at the clock, of at most `most` times, beside one that takes each offer for longer than
// a time slice.
int looks_beside_a_worker(int most, Stat* throttled) {
  const Taker other(kMoreThanASlice);
  int glances = 0;
  std::thread waiter([&] {
    const plat::atomic<uint64_t> word(7);
    plat::Budget budget{.ns = kNoEnd, .share_core = true, .heeds_crowd = true};
    plat::wait_on(word, uint64_t{7}, budget, [&] {
      if (throttled != nullptr) throttled->throttle();
      return ++glances == most;
    });
  });
  waiter.join();
  return glances;
}

TEST(WaitOn, AThreadThatTakesAWholeSliceEndsIt) {
  EXPECT_LT(looks_beside_a_worker(1000, nullptr), 1000);
}

// The same time is lost, but because the process had used up its quota.
TEST(WaitOn, AUsedUpQuotaDoesNotEndIt) {
  Stat stat;
  EXPECT_EQ(looks_beside_a_worker(50, &stat), 50);
}

// The team has tasks, but the only one that this member can run is handed to it while it polls.
struct Waiter {
  bool tasks_about() noexcept { return ++glances != 0; }
  bool may_find() noexcept { return true; }
  void look_in_vain() noexcept { ADD_FAILURE() << "it has not looked"; }
  unsigned own_tasks() noexcept { return ++asked > kPollsBefore ? 1 : 0; }
  bool help() noexcept {
    if (asked <= kPollsBefore) return false;
    event.advance(1);
    return true;
  }
  template <class Done>
  bool sleep(sync::EventCount&, Done) noexcept {
    ADD_FAILURE() << "it sleeps although its patience has no end";
    return false;
  }

  static constexpr int kPollsBefore = 3;  // fewer than the polls between two looks at the clock
  sync::EventCount& event;
  int asked = 0, glances = 0;
};

// Until the helper advances its event.
template <class Helper>
void attend_to_its_end(Helper& helper, uint64_t patience_ns = kNoEnd) {
  sync::Patience patience;
  const auto limits = sync::PatienceLimits::fixed(patience_ns);
  const auto ready = [](uint64_t word) { return sync::EventCount::value_of(word) == 1; };
  task::attend(helper, helper.event.word(), helper.event, ready, {patience, limits});
}

TEST(Attend, ATaskThatIsHandedToItIsSeenAtItsNextPoll) {
  sync::EventCount event;
  Waiter waiter{event};
  attend_to_its_end(waiter);
  EXPECT_EQ(waiter.glances, 1);
}

// No task is in sight, and the patience has no end: those that make tasks learn of the member at
// its first look all the same.
struct Idle {
  bool tasks_about() noexcept { return true; }
  bool may_find() noexcept {
    if (++looks < kMost) return false;
    event.advance(1);
    return false;
  }
  void look_in_vain() noexcept {
    ++told;
    event.advance(1);
  }
  unsigned own_tasks() noexcept { return 0; }
  bool help() noexcept { return false; }
  template <class Done>
  bool sleep(sync::EventCount&, Done) noexcept {
    return false;
  }

  static constexpr int kMost = 4;
  sync::EventCount& event;
  int looks = 0, told = 0;
};

TEST(Attend, AMemberThatSeesNoTaskSaysThatItLooks) {
  sync::EventCount event;
  Idle idle{event};
  attend_to_its_end(idle);
  EXPECT_EQ(idle.looks, 1);
  EXPECT_EQ(idle.told, 1);
}

// There are tasks, none for this member, and its looks come long before its patience is used up.
struct Tired {
  bool tasks_about() noexcept { return true; }
  bool may_find() noexcept {
    if (++looks == kMost) event.advance(1);
    return true;
  }
  void look_in_vain() noexcept {}
  unsigned own_tasks() noexcept { return 0; }
  bool help() noexcept { return false; }
  template <class Done>
  bool sleep(sync::EventCount&, Done) noexcept {
    slept = true;
    event.advance(1);
    return false;
  }

  static constexpr int kMost = 100'000;
  sync::EventCount& event;
  int looks = 0;
  bool slept = false;
};

TEST(Attend, LooksInVainUseItsPatience) {
  sync::EventCount event;
  Tired tired{event};
  attend_to_its_end(tired, 1'000'000);
  EXPECT_TRUE(tired.slept);
}

}  // namespace
}  // namespace vicino
