// clock.hpp: the guest's clock, made of the CPUs' clocks (lockstep.hpp).
//
//  C1 Rate. A cycle lasts boot_ns before ARM, and 1000/mhz nanoseconds from then on.
//  C2 Reading. A CPU reads its own clock, but never less than any CPU has read before. So time is
//     right within a quantum on each CPU, and it does not go back from one CPU to another.
//  C3 One time. The time-stamp counter and QEMU's virtual clock, which all timers of the guest's
//     devices follow, are both this time: they keep one ratio, that of the frequency.
//  C4 Timers run on the thread of the CPUs when a round begins, if they are due at the round's time.
//     So an interrupt is at most a quantum late, and at the same instruction in every run. QEMU's
//     main thread reads 0: to it no timer is due.
//  C5 Idling. While all CPUs are halted, time jumps to the next timer.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vicino::lab {

class Clock {
 public:
  Clock(std::uint64_t boot_ns, std::uint64_t mhz) : ps_per_cycle_(boot_ns * 1000), mhz_(mhz) {}

  // C2. The time for a reader whose own clock is that many cycles.
  std::uint64_t read_ps(std::uint64_t cycles) {
    last_ = std::max(last_, at(cycles));
    return last_;
  }
  static std::uint64_t nanoseconds(std::uint64_t ps) { return ps / 1000; }
  std::uint64_t ticks(std::uint64_t ps) const { return scaled(ps, mhz_, 1'000'000); }  // C3

  // C1. From this clock of a CPU on cycles are the model's.
  void begin_model(std::uint64_t cycles) {
    base_ = at(cycles);
    base_cycles_ = cycles;
    ps_per_cycle_ = 0;
  }

  // C5. The first clock at which it is not before that time.
  std::uint64_t cycles_at(std::uint64_t ps) const {
    if (ps <= base_) return base_cycles_;
    const std::uint64_t rest = ps - base_;
    if (ps_per_cycle_ > 0) return base_cycles_ + (rest + ps_per_cycle_ - 1) / ps_per_cycle_;
    return base_cycles_ + scaled(rest, mhz_, 1'000'000) + 1;
  }

 private:
  static std::uint64_t scaled(std::uint64_t value, std::uint64_t by, std::uint64_t over) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(value) * by / over);
  }
  std::uint64_t at(std::uint64_t cycles) const {
    // A CPU that was halted when the model's time began may have a clock before it.
    const std::uint64_t since = cycles > base_cycles_ ? cycles - base_cycles_ : 0;
    return base_ + (ps_per_cycle_ > 0 ? since * ps_per_cycle_ : scaled(since, 1'000'000, mhz_));
  }

  std::uint64_t ps_per_cycle_;  // 0 once cycles are the model's
  std::uint64_t mhz_;
  std::uint64_t base_ = 0;
  std::uint64_t base_cycles_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace vicino::lab
