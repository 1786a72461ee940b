// static_fraction.hpp: which part of a mixed loop is static: set, modelled, learned or swept.
//
// Why    The larger the static part, the less there is to schedule and the more data stays where it
//        was; but what is static cannot make up for a thread that is late. The right fraction is a
//        matter of the call site, the machine and what else runs on it, and changes with them.
// Source Kale, Donfack, Grigori and Gropp: lightweight scheduling (docs/design/mixed.md).
// How    Nobody should be at its static part when the rest is done. Since the loop began, let S be
//        when the last thread ends its static part, and E when threads have nothing more to do, in
//        the mean. Of the last invocation, with the fraction g,
//         model     f = g - (S - E) / E   what a thread is late by comes on top of its work,
//                   however little that is: noise. In the paper's f = 1 - (max delta - mean delta)
//                   / T_p: S is f T_p + max delta, and E is T_p + mean delta
//         previous  f = g E / S           it is in proportion to its work: a slow core, or costly
//                   iterations
//        Half of the way there is gone down at each, for one may have been disturbed, and a
//        sixteenth up: too large a fraction makes all wait, too small a one costs some claims, and
//        where much work lies together a little more of the loop is much more of the work. They end
//        where S = E. Times of static parts alone would not do: they do not tell of the rest.
//         sweep     tries 0, 0.1, … 1 three times each, then keeps the fraction of the invocation
//                   that was shortest for its number of iterations: a loop's length may change.
// Cost   where the fraction is not a number: two readings of the clock a thread and invocation.
//
// All times are hints (history.hpp). Of executions that overlap, as of nowait loops, nothing is
// learned: a thread tells only of the one that began last, and those of which not all tell are left
// out. sweep tries the same fraction again then, and where the program gave another: it stays at 0
// while no execution is complete.
#pragma once

#include <bit>
#include <cmath>

#include "loop/history.hpp"
#include "loop/parameters.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class StaticFraction {
 public:
  static constexpr std::size_t kWords = 11;
  static constexpr double kModel = Parameter::word(0);
  static constexpr double kPrevious = Parameter::word(1);
  static constexpr double kSweep = Parameter::word(2);
  static constexpr double kFirst = 0.5;  // before anything is known

  static constexpr Parameter parameter(double fallback) noexcept {
    return {"f",   "the static part of the loop", fallback, 0, 1,
            false, {"model", "previous", "sweep"}};
  }
  static constexpr bool learns(double setting) noexcept { return setting < 0; }

  // In start(): draws conclusions from the last invocation, and gives the next one's fraction.
  static double choose(History history, double setting, uint64_t now) noexcept {
    if (!learns(setting)) return setting;
    if (history.empty()) return kFirst;
    const double f = setting == kSweep ? sweep(history) : follow(history, setting);
    store(history[kLearned], f);
    store(history[kUsed], f);
    for (const Word word : {kStaticEnd, kEnds, kThreads, kLongest})
      history[word].store(0, std::memory_order_relaxed);
    history[kBegan].store(now, std::memory_order_relaxed);
    return f;
  }

  // The same for a loop that begins: the fraction is the program's own, where it gives one.
  static double begin(const Plan& plan) noexcept {
    const double f = plan.fraction_or(choose(plan.history, plan.values[0], plat::now()));
    if (learns(plan.values[0]) && !plan.history.empty()) {
      store(plan.history[kUsed], f);
      plan.history[kMembers].store(plan.members, std::memory_order_relaxed);
      plan.history[kTrip].store(plan.trip, std::memory_order_relaxed);
    }
    return f;
  }

  // Of the execution that begin() was for: what its threads say of their ends.
  static uint64_t began(History history) noexcept {
    return history.empty() ? 0 : history[kBegan].load(std::memory_order_relaxed);
  }

  // By each thread that had a static part, when that is done.
  static void ended_static(History history, uint64_t began, uint64_t now) noexcept {
    if (is_over(history, began)) return;
    raise(history[kStaticEnd], now - began);
  }

  // By each thread that gets nothing more.
  static void finished(History history, uint64_t began, uint64_t now) noexcept {
    if (is_over(history, began)) return;
    const uint64_t ns = now - began;
    raise(history[kLongest], ns);
    history[kEnds].fetch_add(ns, std::memory_order_relaxed);
    history[kThreads].fetch_add(1, std::memory_order_relaxed);
  }

  // What choose() would give, without drawing conclusions.
  static double predicted(History history, double setting) noexcept {
    if (!learns(setting)) return setting;
    if (history.empty()) return kFirst;
    return setting == kSweep ? swept(history).next() : follow(history, setting);
  }

 private:
  // kLearned and kUsed are doubles: what choose() gave, and what the program put in its place
  // (Plan::fraction). kSamples and kBest are Swept.
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
    kBest
  };

  // Another execution has begun since: threads of a nowait loop overtake each other.
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

  // threads: kThreads, which is read once, for it may change.
  static bool is_complete(History history, uint64_t threads) noexcept {
    return threads > 0 && threads >= history[kMembers].load(std::memory_order_relaxed);
  }

  static double follow(History history, double setting) noexcept {
    const uint64_t ends = history[kEnds].load(std::memory_order_relaxed);
    const uint64_t threads = history[kThreads].load(std::memory_order_relaxed);
    const auto static_end =
        static_cast<double>(history[kStaticEnd].load(std::memory_order_relaxed));
    const double learned = load(history[kLearned]), used = load(history[kUsed]);
    if (!is_complete(history, threads) || ends == 0 || static_end == 0)
      return learned > 0 ? learned : kFirst;
    const double mean_end = static_cast<double>(ends) / static_cast<double>(threads);
    // Before the step is damped, or one thread of many that was held up would be believed at once.
    const double right = std::clamp(setting == kModel ? used - (static_end - mean_end) / mean_end
                                                      : used * mean_end / static_end,
                                    kLeast, 1.0);
    const double part_of_way = right < learned ? kDown : kUp;
    return learned + (right - learned) * part_of_way;
  }
  static constexpr double kDown = 1.0 / 2, kUp = 1.0 / 16;
  // With less than this nothing could be learned of the threads any more.
  static constexpr double kLeast = 1.0 / 32;

  static constexpr uint64_t kFractions = 11, kTries = 3;
  static double fraction(uint64_t number) noexcept { return static_cast<double>(number) / 10; }

  // How far the sweep is. best: the least time per iteration, a double, which as a word is in the
  // same order for it is positive; its lowest 8 bits are the fraction's number.
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

  // With the last execution, if it was one of the fraction that was to be tried.
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

// Of one execution: its fraction, and what its threads tell of their ends, if that is wanted.
class StaticPart {
 public:
  void start(const Plan& plan) noexcept {
    told_ = StaticFraction::learns(plan.values[0]) ? plan.history : History{};
    fraction_ = StaticFraction::begin(plan);
    began_ = StaticFraction::began(told_);
  }
  double fraction() const noexcept { return fraction_; }

  // By each thread that had a static part, when that is done.
  void ended() const noexcept {
    if (!told_.empty()) StaticFraction::ended_static(told_, began_, plat::now());
  }
  // By each thread that gets nothing more.
  void finished() const noexcept {
    if (!told_.empty()) StaticFraction::finished(told_, began_, plat::now());
  }

 private:
  double fraction_ = 0;
  History told_;
  uint64_t began_ = 0;
};

}  // namespace vicino::loop
