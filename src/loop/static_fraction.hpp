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
//         sweep     tries 0, 0.1, … 1 three times each, then keeps the fraction of the invocation
//                   that was shortest for its number of iterations: a loop's length may change.
//         slack     is for ranks of an MPI program. A rank that waited for others after the loop
//                   has slack S: if it had balanced the loop less, it would only have waited less.
//                   The paper's f' = 1 - max(0, (1 - f) - S / ((p - 1) T_p)) is f + S / ((p - 1)
//                   T_p), at most 1. Here f is what `model` has learned, so f' is never below the
//                   paper's bound for noise, 1 - noise / T_p; p is the number of members, and T_p
//                   is E. A rank that others wait for has no slack, and f' = f. The program tells
//                   how long it waits (vicino_slack_add()). S is what it told since the loop's last
//                   execution; if the loop was executed several times since the wait before, each
//                   execution has an equal part of it. A smaller S counts at once, since too large
//                   a fraction would keep all ranks waiting; a larger one counts by half, since the
//                   wait may have been disturbed.
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

namespace vicino::loop {

class StaticFraction {
 public:
  static constexpr std::size_t kWords = 17;
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
    history[kWaited].fetch_add(ns, std::memory_order_relaxed);
    history[kWaits].fetch_add(1, std::memory_order_relaxed);
  }

  // The paper's formula for slack. Times in one unit; `ideal` is T_p, and 0 before it is known.
  static double with_slack(double f, double slack, double ideal, uint64_t members) noexcept {
    if (members < 2 || ideal <= 0) return f;
    return std::min(f + slack / (static_cast<double>(members - 1) * ideal), 1.0);
  }

  // What the last execution with kSlack ran with, for people. ideal: T_p in ns; 0: there was none.
  struct Told {
    double learned, f;
    uint64_t slack_ns, ideal_ns;
  };
  static Told told(History history) noexcept {
    return {load(history[kLearned]), load(history[kUsed]),
            history[kSlackNs].load(std::memory_order_relaxed),
            history[kIdeal].load(std::memory_order_relaxed)};
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
  // kLearned and kUsed are doubles: what was learned of the threads, and what the loop ran with,
  // which has the slack in it or may be the program's own (Plan::fraction). kSamples and kBest are
  // those of Swept, and kStage is a Stage. kWaited to kIdeal are for slack: what waited() told since
  // the last execution; how many executions there were since the last wait; the slack of one
  // execution; and E of the last complete one.
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
    kSamples,
    kBest,
    kStage,
    kWaited,
    kWaits,
    kSinceWait,
    kSlackNs,
    kIdeal
  };

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

  // What is known of the slack when an execution begins.
  struct Slack {
    uint64_t ns = 0;     // of one execution
    uint64_t since = 0;  // executions since the last wait, this one included
    uint64_t ideal = 0;  // T_p, ns
    uint64_t members = 1;

    double added_to(double f) const noexcept {
      return with_slack(f, static_cast<double>(ns), static_cast<double>(ideal), members);
    }
  };
  static Slack slack_of(History history) noexcept {
    Slack now;
    now.members = history[kMembers].load(std::memory_order_relaxed);
    now.ideal = history[kIdeal].load(std::memory_order_relaxed);
    if (const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
        is_complete(history, threads))
      now.ideal = history[kEnds].load(std::memory_order_relaxed) / threads;
    now.ns = history[kSlackNs].load(std::memory_order_relaxed);
    const uint64_t executions = history[kSinceWait].load(std::memory_order_relaxed);
    now.since = executions + 1;
    if (history[kWaits].load(std::memory_order_relaxed) == 0) return now;
    const uint64_t each =
        history[kWaited].load(std::memory_order_relaxed) / std::max<uint64_t>(executions, 1);
    now.ns = each < now.ns ? each : now.ns + (each - now.ns) / 2;
    now.since = 1;
    return now;
  }
  // slack_of(), which becomes what is known.
  static Slack conclude_slack(History history) noexcept {
    const Slack now = slack_of(history);
    history[kWaits].store(0, std::memory_order_relaxed);
    history[kWaited].store(0, std::memory_order_relaxed);
    history[kSinceWait].store(now.since, std::memory_order_relaxed);
    history[kSlackNs].store(now.ns, std::memory_order_relaxed);
    history[kIdeal].store(now.ideal, std::memory_order_relaxed);
    return now;
  }

  static constexpr uint64_t kFractions = 11, kTries = 3;
  static double fraction(uint64_t number) noexcept { return static_cast<double>(number) / 10; }

  // How far the sweep is. best: the least time per iteration, a double. It is positive, so as a
  // word it has the same order; its lowest 8 bits are the fraction's number.
  struct Swept {
    static constexpr uint64_t kNumber = 0xff;
    uint64_t samples, best;

    bool is_over() const noexcept { return samples >= kFractions * kTries; }
    uint64_t number() const noexcept { return is_over() ? best & kNumber : samples / kTries; }
    double next() const noexcept { return fraction(number()); }
    void add(double time) noexcept {
      const uint64_t sample = (std::bit_cast<uint64_t>(time) & ~kNumber) | number();
      if (samples == 0 || sample < best) best = sample;
      ++samples;
    }
  };

  // Includes the last execution, if that used the fraction that was to be tried.
  static Swept swept(History history) noexcept {
    Swept swept{history[kSamples].load(std::memory_order_relaxed),
                history[kBest].load(std::memory_order_relaxed)};
    const uint64_t took = history[kLongest].load(std::memory_order_relaxed);
    const uint64_t trip = history[kTrip].load(std::memory_order_relaxed);
    const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
    const bool is_sample = is_complete(history, threads) && load(history[kUsed]) == swept.next();
    if (is_sample && took > 0 && trip > 0 && !swept.is_over())
      swept.add(static_cast<double>(took) / static_cast<double>(trip));
    return swept;
  }
  static double sweep(History history) noexcept {
    const Swept now = swept(history);
    history[kBest].store(now.best, std::memory_order_relaxed);
    history[kSamples].store(now.samples, std::memory_order_relaxed);
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
