// estimate.hpp: what an execution costs, from samples that other things disturb.
//
// Why    What disturbs a run only ever adds time: an interrupt, a neighbour, a cold cache. So the
//        lower quartile of the newest samples is asked, not their mean; and a difference counts
//        only if it is wider than what the samples themselves leave open.
// Cost   add(): one store. value(), interval(): a sort of kKept numbers.
//
// The interval is the usual one of a quantile, between two order statistics: no distribution is
// assumed. Of a few samples it is all that they span.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace vicino::tune {

class Estimate {
 public:
  static constexpr uint32_t kKept = 16;

  struct Interval {
    double low = 0, high = 0;
  };

  void add(double cost) noexcept {
    kept_[count_ % kKept] = cost;
    ++count_;
  }

  // All that were ever added.
  uint32_t count() const noexcept { return count_; }

  // In the unit of the samples; 0 without any.
  double value() const noexcept {
    const Sorted all(*this);
    return all.size == 0 ? 0 : all.at(std::floor(kQuantile * (all.size - 1)));
  }

  Interval interval() const noexcept {
    const Sorted all(*this);
    if (all.size == 0) return {};
    constexpr double kWidth = 1.65;  // standard deviations: nine in ten
    const double n = all.size;
    const double spread = kWidth * std::sqrt(n * kQuantile * (1 - kQuantile));
    const double place = std::floor(kQuantile * (n - 1));
    return {all.at(std::floor(place - spread)), all.at(std::ceil(place + spread))};
  }

 private:
  static constexpr double kQuantile = 0.25;

  struct Sorted {
    explicit Sorted(const Estimate& from) : size(std::min(from.count_, kKept)) {
      std::copy_n(from.kept_.begin(), size, values.begin());
      std::sort(values.begin(), values.begin() + size);
    }
    double at(double place) const noexcept {
      return values[static_cast<uint32_t>(std::clamp(place, 0.0, size - 1.0))];
    }
    uint32_t size;
    std::array<double, kKept> values{};
  };

  std::array<double, kKept> kept_{};
  uint32_t count_ = 0;
};

// Whether a is cheaper than b beyond what the samples leave open.
inline bool clearly_cheaper(const Estimate& a, const Estimate& b) noexcept {
  return a.interval().high < b.interval().low;
}

}  // namespace vicino::tune
