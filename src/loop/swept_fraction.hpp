// swept_fraction.hpp: a static fraction that is found by trying all: `sweep` of static_fraction.hpp.
//
// How    Tries 0, 0.1, … 1 three times each, then keeps the fraction of the execution that was
//        shortest for its number of iterations: a loop's length may change.
#pragma once

#include <bit>

#include "loop/history.hpp"

namespace vicino::loop {

class SweptFraction {
 public:
  static constexpr std::size_t kWords = 2;

  explicit SweptFraction(History words) noexcept
      : samples_(words[kSamples].load(std::memory_order_relaxed)),
        best_(words[kBest].load(std::memory_order_relaxed)) {}
  void keep(History words) const noexcept {
    words[kBest].store(best_, std::memory_order_relaxed);
    words[kSamples].store(samples_, std::memory_order_relaxed);
  }

  bool is_over() const noexcept { return samples_ >= kFractions * kTries; }
  // The fraction to be tried; when all were, the best.
  double next() const noexcept { return static_cast<double>(number()) / 10; }
  // next() took so long for each iteration; above 0.
  void add(double time) noexcept {
    const uint64_t sample = (std::bit_cast<uint64_t>(time) & ~kNumber) | number();
    if (samples_ == 0 || sample < best_) best_ = sample;
    ++samples_;
  }

 private:
  enum Word : std::size_t { kSamples, kBest };
  static constexpr uint64_t kFractions = 11, kTries = 3, kNumber = 0xff;

  uint64_t number() const noexcept { return is_over() ? best_ & kNumber : samples_ / kTries; }

  uint64_t samples_;
  // The least time for an iteration, a double. It is positive, so as a word it has the same order; its
  // lowest 8 bits are the fraction's number.
  uint64_t best_;
};

}  // namespace vicino::loop
