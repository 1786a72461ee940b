// meter.hpp: what one execution of a loop, a taskloop or a region takes, counted by its threads or
// by the machine.
//
// Why    Only the thread itself can read its counter, and each thread comes and goes when it likes.
//        So each leaves what it counted in a place of its own, and the last one adds them up.
// Cost   by threads, two readings per thread; by the machine, two for the whole execution. Nothing
//        while off.
//
// Invariants
//  I1 start() comes before any enter(), and total() after every leave(); the caller orders them.
//     In between, only the thread itself uses its part.
//  I2 if the count of one thread is not known, there is no total. A thread that does not enter
//     counted nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/line.hpp"
#include "metric/counter.hpp"

namespace vicino::metric {

class Meter {
 public:
  bool is_on() const noexcept { return of_ != Of::kNothing; }

  // Counts for `threads`, each by a counter of its own.
  void start(uint32_t threads) {
    of_ = Of::kThreads;
    if (parts_.size() < threads) parts_.resize(threads);
    for (Part& part : parts_) part.counted = 0;
  }

  // Counts for all together, by the machine's counter.
  void start(Counter& machine) {
    of_ = Of::kMachine;
    machine_ = &machine;
    if (parts_.empty()) parts_.resize(1);
    begin(parts_[0], machine_);
  }

  // `counter`: null if the thread has none.
  void enter(uint32_t thread, Counter* counter) noexcept {
    if (of_ == Of::kThreads) begin(parts_[thread], counter);
  }
  void leave(uint32_t thread, Counter* counter) noexcept {
    if (of_ == Of::kThreads) end(parts_[thread], counter);
  }

  std::optional<double> total() noexcept {
    if (of_ == Of::kMachine) {
      end(parts_[0], machine_);
      return parts_[0].counted;
    }
    double sum = 0;
    for (const Part& part : parts_) {
      if (!part.counted) return std::nullopt;  // I2
      sum += *part.counted;
    }
    return sum;
  }

 private:
  enum class Of : uint8_t { kNothing, kThreads, kMachine };

  struct alignas(kLine) Part {
    Sample before, after;
    bool known = false;             // whether `before` is
    std::optional<double> counted;  // none: it could not be read
  };

  static void begin(Part& part, Counter* counter) noexcept {
    part.counted = std::nullopt;
    part.known = counter != nullptr && counter->read(part.before);
  }
  static void end(Part& part, Counter* counter) noexcept {
    if (part.known && counter != nullptr && counter->read(part.after))
      part.counted = counter->between(part.before, part.after);
  }

  Of of_ = Of::kNothing;
  Counter* machine_ = nullptr;
  std::vector<Part> parts_;
};

}  // namespace vicino::metric
