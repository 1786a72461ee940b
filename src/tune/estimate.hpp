// estimate.hpp: what an execution costs, from samples that other things disturb.
//
// Why    A disturbance only ever adds time: an interrupt, a neighbour, a cold cache. So the
//        estimate is the lower quartile of the newest samples, not their mean; and a difference
//        counts only if it is wider than what the samples themselves leave open.
// Cost   add(): one store. value(), interval(): a sort of kKept numbers.
//
// The interval is the usual one of a quantile, between two order statistics: it assumes no
// distribution. With few samples it is all that they span.
//
// A profile keeps value, interval and count, and the estimate restored from them has the same
// three. The samples between are taken to be spread evenly, so samples that are added later are
// believed rather later than they would have been.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/arithmetic.hpp"

namespace vicino::tune {

class Estimate {
 public:
  static constexpr uint32_t kKept = 16;
  static constexpr uint32_t kMostCounted = 1 << 20;

  struct Interval {
    double low = 0, high = 0;
  };

  // The estimate of an earlier run.
  static Estimate restored(double value, Interval interval, uint32_t count) noexcept {
    Estimate estimate;
    estimate.count_ = std::min(count, kMostCounted);
    const uint32_t size = std::min(estimate.count_, kKept);
    const Places at(size);
    const double step = (interval.high - value) / std::max(at.high - at.value, 1.0);
    for (uint32_t i = 0; i < size; ++i)
      estimate.kept_[i] = i < at.value  ? interval.low
                          : i < at.high ? value + step * (i - at.value)
                                        : std::max(interval.high, value);
    if (size > 0) estimate.kept_[static_cast<uint32_t>(at.value)] = value;
    return estimate;
  }

  void add(double cost) noexcept {
    kept_[count_ % kKept] = cost;
    if (++count_ > kMostCounted) count_ -= kKept;  // the place of the oldest does not change
  }

  // How many samples were ever added; above kMostCounted, about that many. A taskloop's nodes are
  // timed at each of its executions, as long as the process lives.
  uint32_t count() const noexcept { return count_; }

  // In the unit of the samples; 0 without samples.
  double value() const noexcept {
    const Sorted all(*this);
    return all.size == 0 ? 0 : all.at(place_of_value(all.size));
  }

  Interval interval() const noexcept {
    const Sorted all(*this);
    if (all.size == 0) return {};
    const Places places(all.size);
    return {all.at(places.low), all.at(places.high)};
  }

 private:
  static constexpr double kQuantile = 0.25;

  static double place_of_value(uint32_t size) noexcept {
    return round_down(kQuantile * (std::max(size, 1u) - 1.0));
  }

  // Places among sorted samples.
  struct Places {
    explicit Places(uint32_t size) noexcept {
      constexpr double kWidth = 1.65;  // standard deviations: covers nine in ten
      const double last = std::max(size, 1u) - 1.0;
      const double spread = kWidth * square_root(size * kQuantile * (1 - kQuantile));
      value = place_of_value(size);
      low = std::clamp(round_down(value - spread), 0.0, last);
      high = std::clamp(round_up(value + spread), 0.0, last);
    }
    double low, value, high;
  };

  struct Sorted {
    explicit Sorted(const Estimate& from) : size(std::min(from.count_, kKept)) {
      std::copy_n(from.kept_.begin(), size, values.begin());
      std::sort(values.begin(), values.begin() + size);
    }
    double at(double place) const noexcept { return values[static_cast<uint32_t>(place)]; }
    uint32_t size;
    std::array<double, kKept> values{};
  };

  std::array<double, kKept> kept_{};
  uint32_t count_ = 0;
};

// Whether a is cheaper than b by more than the samples leave open.
inline bool clearly_cheaper(const Estimate& a, const Estimate& b) noexcept {
  return a.interval().high < b.interval().low;
}

}  // namespace vicino::tune
