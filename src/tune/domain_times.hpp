// domain_times.hpp: how fast each near domain runs a call site's iterations, when all domains work at
// it; and which domain is therefore the first of its node masks. (ILAN's nodes are Vicino's near domains:
// Machine::near_level().)
//
// Why    With fewer threads than all, an execution runs on the first domain and those nearest to it.
//        What is measured with fewer threads belongs to that mask, so it can be compared, and kept
//        in a profile, only while the first domain stays.
// Rule   Until fewer threads have been tried, the fastest domain is the first. From then on the first
//        domain stays, unless another one is clearly faster. Then all that was measured with fewer
//        threads is to be forgotten: record() says so. The warm-up of the site is not counted.
// Clear  means: by kWorth at least, over kSure samples of each, and the intervals of the two
//        estimates are farther apart than either is wide. That intervals do not overlap, as in
//        other comparisons of the tuner, would not do: every execution on all threads looks at all
//        domains, so among thousands of looks some would find two equal ones apart.
// Source ILAN (papers/ilan, section III): the fastest node is the first of a node mask, and the
//        trace of an execution is kept for its threads, mask and policy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tune/estimate.hpp"

namespace vicino::tune {

class DomainTimes {
 public:
  static constexpr uint32_t kSure = 8, kInRow = 8;
  static constexpr double kWorth = 0.05;

  struct Time {
    int domain;
    double cost;  // ns per iteration, for instance
  };
  struct Sample {
    bool is_warm_up;
    bool on_fewer;                // than all threads
    std::span<const Time> domains;  // empty if the execution does not tell how fast domains are
  };

  // -1 if it is not known.
  int first() const noexcept { return first_; }

  // What was measured in an earlier run of the program, with fewer threads than all, was measured
  // with this first domain; -1 if that is not known.
  void begin_with(int domain) noexcept {
    first_ = domain;
    in_use_ = domain >= 0;
  }
  // The site is explored afresh.
  void begin_again() noexcept {
    domains_.clear();
    in_use_ = false;
    clear_ = 0;
  }

  // True if another domain should be the first, but fewer threads were tried with the present one. To
  // have that domain, the caller forgets what was measured with them and calls change_first().
  bool record(const Sample& sample) {
    if (sample.is_warm_up) return false;
    if (sample.on_fewer) in_use_ = true;
    for (const Time& time : sample.domains) add(time);
    if (sample.domains.empty()) return false;
    if (!in_use_) change_first();
    clear_ = first_ != fastest() && is_clearly_faster(fastest(), first_) ? clear_ + 1 : 0;
    return clear_ >= kInRow;
  }
  void change_first() noexcept {
    first_ = fastest();
    in_use_ = false;
    clear_ = 0;
  }

 private:
  void add(const Time& time) {
    const auto at = static_cast<size_t>(time.domain);
    if (at >= domains_.size()) domains_.resize(at + 1);
    domains_[at].add(time.cost);
  }

  // Of those that were recorded, of which there is one.
  int fastest() const noexcept {
    const auto cost = [](const Estimate& domain) {
      return domain.count() == 0 ? std::numeric_limits<double>::infinity() : domain.value();
    };
    return static_cast<int>(std::ranges::min_element(domains_, {}, cost) - domains_.begin());
  }

  // An earlier run may have had a first domain that the team is not on any more.
  bool is_clearly_faster(int domain, int than) const noexcept {
    const Estimate& a = domains_[static_cast<size_t>(domain)];
    if (a.count() < kSure) return false;
    if (static_cast<size_t>(than) >= domains_.size()) return true;
    const Estimate& b = domains_[static_cast<size_t>(than)];
    if (b.count() == 0) return true;
    const auto [a_low, a_high] = a.interval();
    const auto [b_low, b_high] = b.interval();
    return b.count() >= kSure && a.value() < (1 - kWorth) * b.value() &&
           b_low - a_high > std::max(a_high - a_low, b_high - b_low);
  }

  std::vector<Estimate> domains_;
  int first_ = -1;
  bool in_use_ = false;  // fewer threads were tried with the first domain
  uint32_t clear_ = 0;   // executions in a row after which another domain was clearly faster
};

}  // namespace vicino::tune
