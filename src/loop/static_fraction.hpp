// static_fraction.hpp: which part of a mixed loop is static: set, modelled, learned or swept, or with
// the slack added that a rank has.
//
// Why    The larger the static part, the less there is to schedule and the more data stay where
//        they were; but a static part cannot make up for a thread that is late. The right fraction
//        depends on the call site, the machine and what else runs on it, and changes with them.
// Source Kale, Donfack, Grigori and Gropp: lightweight scheduling (docs/design/mixed.md).
// How    No thread should be at its static part when the rest is done. Counted from the loop's
//        begin, let S be when the last thread ends its static part, and E the mean of when threads
//        have nothing more to do. The last invocation ran with the fraction g. Then
//         model     f = g - (S - E) / E   is for threads that are late by an amount that does not
//                   depend on their work: noise. In the paper's f = 1 - (max delta - mean delta)
//                   / T_p, S is f T_p + max delta, and E is T_p + mean delta
//         previous  f = g E / S           is for threads that are late in proportion to their work:
//                   a slow core, or costly iterations
//        Each invocation goes half of the way to f, since one may have been disturbed, until f was
//        smaller than what was learned. From then on it goes half of the way down, but a sixteenth
//        of the way up: too large a fraction makes all threads wait, too small a one costs some
//        claims; and where much work lies together, a little more of the loop is much more of the
//        work. Both end where S = E. If the first invocation asks for less, that is not believed:
//        threads that start, and memory that is touched first, make it later than those that
//        follow. Times of static parts alone would not do: they do not tell of the rest.
//         sweep     tries all: swept_fraction.hpp.
//         slack     is what `model` has learned, with the slack of a rank of an MPI program added:
//                   slack.hpp.
// Cost   where the fraction is not a number: two readings of the clock per thread and invocation.
//
// All times are hints (history.hpp). Nothing is learned from executions that overlap, as nowait
// loops may: a thread reports only to the execution that began last, and an execution to which not
// all threads report is left out. Then sweep tries the same fraction again, as it does where the
// program gave another: it stays at 0 while no execution is complete.
#pragma once

#include <bit>
#include <cmath>

#include "loop/history.hpp"
#include "loop/parameters.hpp"
#include "loop/plan.hpp"
#include "loop/slack.hpp"
#include "loop/swept_fraction.hpp"

namespace vicino::loop {

class StaticFraction {
  // kLearned and kUsed are doubles: what was learned of the threads, and what the loop ran with,
  // which has the slack in it or may be the program's own (Plan::fraction). kSwept and kOfSlack are the
  // first words of SweptFraction and Slack, and kStage is a Stage.
  enum Word : std::size_t {
    kLearned,
    kUsed,
    kStaticEnd,
    kEnds,
    kThreads,
    kMembers,
    kTrip,
    kBegan,
    kLongest,
    kSwept,
    kStage = kSwept + SweptFraction::kWords,
    kOfSlack
  };

 public:
  static constexpr std::size_t kWords = kOfSlack + Slack::kWords;
  static constexpr double kModel = Parameter::word(0);
  static constexpr double kPrevious = Parameter::word(1);
  static constexpr double kSweep = Parameter::word(2);
  static constexpr double kSlack = Parameter::word(3);
  static constexpr double kFirst = 0.5;  // before anything is known

  // The parameters of a schedule that has this one alone.
  struct Set {
    double f;
  };
  static constexpr Parameter parameter(double fallback) noexcept {
    return {.name = "f",
            .help = "the static part of the loop",
            .fallback = fallback,
            .least = 0,
            .most = 1,
            .words = {"model", "previous", "sweep", "slack"},
            .also = "fraction"};
  }
  // The schedule's f, among the values of its parameters: of a schedule that has_fraction().
  static constexpr double setting_of(const Values& values) noexcept {
    return set_of<Set>(values).f;
  }
  static constexpr bool learns(double setting) noexcept { return setting < 0; }

  // Called in start(): draws conclusions from the last invocation, and gives the next fraction.
  static double choose(History history, double setting, uint64_t now) noexcept {
    if (!learns(setting)) return setting;
    if (history.empty()) return kFirst;
    const double learned = setting == kSweep ? sweep(history) : learn(history, setting);
    store(history[kLearned], learned);
    const double f = setting == kSlack ? conclude_slack(history).added_to(learned) : learned;
    store(history[kUsed], f);
    for (const Word word : {kStaticEnd, kEnds, kThreads, kLongest})
      history[word].store(0, std::memory_order_relaxed);
    history[kBegan].store(now, std::memory_order_relaxed);
    return f;
  }

  // As choose(), for a loop that begins: the program's own fraction counts where it gives one.
  static double begin(const Plan& plan) noexcept {
    const double setting = setting_of(plan.values);
    const double f = plan.fraction_or(choose(plan.history, setting, plat::now()));
    if (learns(setting) && !plan.history.empty()) {
      store(plan.history[kUsed], f);
      plan.history[kMembers].store(plan.members, std::memory_order_relaxed);
      plan.history[kTrip].store(plan.trip, std::memory_order_relaxed);
    }
    return f;
  }

  // When the execution of the last begin() began. Its threads report their ends with this time.
  static uint64_t began(History history) noexcept {
    return history.empty() ? 0 : history[kBegan].load(std::memory_order_relaxed);
  }

  // Each thread that had a static part calls this when that part is done.
  static void ended_static(History history, uint64_t began, uint64_t now) noexcept {
    if (is_over(history, began)) return;
    raise(history[kStaticEnd], now - began);
  }

  // Each thread that gets nothing more calls this.
  static void finished(History history, uint64_t began, uint64_t now) noexcept {
    if (is_over(history, began)) return;
    const uint64_t ns = now - began;
    raise(history[kLongest], ns);
    history[kEnds].fetch_add(ns, std::memory_order_relaxed);
    history[kThreads].fetch_add(1, std::memory_order_relaxed);
  }

  // The thread that ran the loop with its team waited for other processes since, `ns` in all. 0 is a
  // wait, too: it tells that the rank has no slack.
  static void waited(History history, uint64_t ns) noexcept {
    Slack::waited(of_slack(history), ns);
  }

  // What the last execution with kSlack ran with, for people. ideal: T_p in ns; 0: there was none.
  struct Told {
    double learned, f;
    uint64_t slack_ns, ideal_ns;
  };
  static Told told(History history) noexcept {
    return {load(history[kLearned]), load(history[kUsed]), Slack::ns(of_slack(history)),
            Slack::ideal_ns(of_slack(history))};
  }

  // What choose() would give, without drawing conclusions.
  static double predicted(History history, double setting) noexcept {
    if (!learns(setting)) return setting;
    if (history.empty()) return kFirst;
    if (setting == kSweep) return swept(history).next();
    const double f = follow(history, setting).f;
    return setting == kSlack ? slack_of(history).added_to(f) : f;
  }

 private:
  // Whether another execution has begun since: threads of a nowait loop overtake each other.
  static bool is_over(History history, uint64_t began) noexcept {
    return history[kBegan].load(std::memory_order_relaxed) != began;
  }
  static double load(const plat::atomic<uint64_t>& word) noexcept {
    return std::bit_cast<double>(word.load(std::memory_order_relaxed));
  }
  static void store(plat::atomic<uint64_t>& word, double value) noexcept {
    word.store(std::bit_cast<uint64_t>(value), std::memory_order_relaxed);
  }
  static void raise(plat::atomic<uint64_t>& word, uint64_t value) noexcept {
    uint64_t now = word.load(std::memory_order_relaxed);
    while (now < value && !word.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
  }

  // threads: kThreads, which is read once, since it may change.
  static bool is_complete(History history, uint64_t threads) noexcept {
    return threads > 0 && threads >= history[kMembers].load(std::memory_order_relaxed);
  }

  // How much has been learned, which decides how fast f rises.
  enum Stage : uint64_t { kFirstTime, kRising, kNearby };
  struct Learned {
    double f;
    uint64_t stage;
  };

  static Learned follow(History history, double setting) noexcept {
    const uint64_t ends = history[kEnds].load(std::memory_order_relaxed);
    const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
    const uint64_t stage = history[kStage].load(std::memory_order_relaxed);
    const auto static_end =
        static_cast<double>(history[kStaticEnd].load(std::memory_order_relaxed));
    const double learned = load(history[kLearned]), used = load(history[kUsed]);
    if (!is_complete(history, threads) || ends == 0 || static_end == 0)
      return {learned > 0 ? learned : kFirst, stage};
    const double mean_end = static_cast<double>(ends) / static_cast<double>(threads);
    // Clamped before the step is damped; otherwise one thread of many that was held up once would
    // be believed at once.
    const double right =
        std::clamp(setting == kPrevious ? used * mean_end / static_end
                                        : used - (static_end - mean_end) / mean_end,
                   kLeast, 1.0);
    return toward(right, {learned, stage});
  }
  static Learned toward(double right, Learned now) noexcept {
    const bool falls = right < now.f;
    if (falls && now.stage == kFirstTime) return {now.f, kRising};
    const double part_of_way = falls || now.stage != kNearby ? kFast : kSlow;
    const Stage stage = falls || now.stage == kNearby ? kNearby : kRising;
    return {now.f + (right - now.f) * part_of_way, stage};
  }
  static double learn(History history, double setting) noexcept {
    const Learned now = follow(history, setting);
    history[kStage].store(now.stage, std::memory_order_relaxed);
    return now.f;
  }
  // The parts of the way to the right fraction that one invocation goes (How, above).
  static constexpr double kFast = 1.0 / 2, kSlow = 1.0 / 16;
  // The least fraction that is learned: without a static part nothing could be learned about the
  // threads any more. A thread's part is then half of a chunk of mixed.hpp at most, and so makes no
  // thread later than the chunks do.
  static constexpr double kLeast = 1.0 / 32;

  static History of_slack(History history) noexcept {
    return history.subspan(kOfSlack, Slack::kWords);
  }
  static Slack slack_of(History history) noexcept {
    const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
    const uint64_t ends = history[kEnds].load(std::memory_order_relaxed);
    return Slack(of_slack(history), history[kMembers].load(std::memory_order_relaxed),
                 is_complete(history, threads) ? ends / threads : 0);
  }
  static Slack conclude_slack(History history) noexcept {
    const Slack now = slack_of(history);
    now.keep(of_slack(history));
    return now;
  }

  // Includes the last execution, if that used the fraction that was to be tried.
  static SweptFraction swept(History history) noexcept {
    SweptFraction swept(history.subspan(kSwept, SweptFraction::kWords));
    const uint64_t took = history[kLongest].load(std::memory_order_relaxed);
    const uint64_t trip = history[kTrip].load(std::memory_order_relaxed);
    const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
    const bool is_sample = is_complete(history, threads) && load(history[kUsed]) == swept.next();
    if (is_sample && took > 0 && trip > 0 && !swept.is_over())
      swept.add(static_cast<double>(took) / static_cast<double>(trip));
    return swept;
  }
  static double sweep(History history) noexcept {
    const SweptFraction now = swept(history);
    now.keep(history.subspan(kSwept, SweptFraction::kWords));
    return now.next();
  }
};

// One execution's fraction, and what its threads report of their ends, if that is wanted.
class StaticPart {
 public:
  void start(const Plan& plan) noexcept {
    const double setting = StaticFraction::setting_of(plan.values);
    told_ = StaticFraction::learns(setting) ? plan.history : History{};
    fraction_ = StaticFraction::begin(plan);
    began_ = StaticFraction::began(told_);
  }
  double fraction() const noexcept { return fraction_; }

  // How far a member is with its static part, which may be empty.
  enum class State : uint8_t { kBefore, kWithin, kBehind };
  static State before(Range its_part) noexcept {
    return its_part.empty() ? State::kBehind : State::kBefore;
  }

  // Each thread calls this when it asks for iterations: true if it gets its static part now.
  bool is_next(State& state) const noexcept {
    if (state == State::kBefore) {
      state = State::kWithin;
      return true;
    }
    if (state == State::kWithin) {
      state = State::kBehind;
      if (!told_.empty()) StaticFraction::ended_static(told_, began_, plat::now());
    }
    return false;
  }
  // Each thread that gets nothing more calls this.
  void finished() const noexcept {
    if (!told_.empty()) StaticFraction::finished(told_, began_, plat::now());
  }

 private:
  double fraction_ = 0;
  History told_;
  uint64_t began_ = 0;
};

}  // namespace vicino::loop
