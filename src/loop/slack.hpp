// slack.hpp: what a rank of an MPI program waits for others after a loop, and the static fraction that
// this allows it: `slack` of static_fraction.hpp.
//
// Why    If the rank had balanced the loop less, it would only have waited less.
// How    The paper's f' = 1 - max(0, (1 - f) - S / ((p - 1) T_p)) is f + S / ((p - 1) T_p), at most 1.
//        Here f is what `model` has learned, so f' is never below the paper's bound for noise, 1 -
//        noise / T_p; p is the number of members, and T_p is the mean of when threads have nothing
//        more to do. A rank that others wait for has no slack S, and f' = f. The program tells how
//        long it waits (vicino_slack_add()). S is what it told since the loop's last execution; if
//        the loop was executed several times since the wait before, each execution has an equal part
//        of it. A smaller S counts at once, since too large a fraction would keep all ranks waiting;
//        a larger one counts by half, since the wait may have been disturbed.
// Source Kale, Donfack, Grigori and Gropp: lightweight scheduling (docs/design/mixed.md).
#pragma once

#include <algorithm>

#include "loop/history.hpp"

namespace vicino::loop {

// The paper's formula. Times in one unit; `ideal` is T_p, and 0 before it is known.
inline double with_slack(double f, double slack, double ideal, uint64_t members) noexcept {
  if (members < 2 || ideal <= 0) return f;
  return std::min(f + slack / (static_cast<double>(members - 1) * ideal), 1.0);
}

// What is known of a call site's slack when an execution begins.
class Slack {
 public:
  static constexpr std::size_t kWords = 5;

  // `members` and `ideal`, T_p in ns, are of the last execution; 0 ns: it is not complete.
  Slack(History words, uint64_t members, uint64_t ideal) noexcept
      : ns_(words[kNs].load(std::memory_order_relaxed)),
        since_(words[kSinceWait].load(std::memory_order_relaxed) + 1),
        ideal_(ideal > 0 ? ideal : words[kIdeal].load(std::memory_order_relaxed)),
        members_(members) {
    if (words[kWaits].load(std::memory_order_relaxed) == 0) return;
    const uint64_t each =
        words[kWaited].load(std::memory_order_relaxed) / std::max<uint64_t>(since_ - 1, 1);
    ns_ = each < ns_ ? each : ns_ + (each - ns_) / 2;
    since_ = 1;
  }
  // The execution begins.
  void keep(History words) const noexcept {
    words[kWaits].store(0, std::memory_order_relaxed);
    words[kWaited].store(0, std::memory_order_relaxed);
    words[kSinceWait].store(since_, std::memory_order_relaxed);
    words[kNs].store(ns_, std::memory_order_relaxed);
    words[kIdeal].store(ideal_, std::memory_order_relaxed);
  }

  double added_to(double f) const noexcept {
    return with_slack(f, static_cast<double>(ns_), static_cast<double>(ideal_), members_);
  }

  static void waited(History words, uint64_t ns) noexcept {
    words[kWaited].fetch_add(ns, std::memory_order_relaxed);
    words[kWaits].fetch_add(1, std::memory_order_relaxed);
  }
  // Of the execution that began last, in ns.
  static uint64_t ns(History words) noexcept { return words[kNs].load(std::memory_order_relaxed); }
  static uint64_t ideal_ns(History words) noexcept {
    return words[kIdeal].load(std::memory_order_relaxed);
  }

 private:
  // What waited() told since the last execution, and how often; executions since the last wait; the
  // slack of one execution; and T_p of the last complete one.
  enum Word : std::size_t { kWaited, kWaits, kSinceWait, kNs, kIdeal };

  uint64_t ns_;     // of one execution
  uint64_t since_;  // executions since the last wait, this one included
  uint64_t ideal_;  // T_p, ns
  uint64_t members_;
};

}  // namespace vicino::loop
