// noise.hpp: what takes a CPU from the program for a while, by the model's clock (rule R15).
//
//  R15 Noise. Each CPU stops for noise_length now and then, as if the kernel or a daemon had it: from one
//      stop's end to the next one's begin it takes noise_every on average, exponentially distributed and
//      independent of other CPUs. A stop during which the CPU is halted anyway costs nothing. The last CPU
//      of the machine takes slow_percent more cycles for an instruction.
//
// Source  Fixed lengths at a mean rate are how noise is injected in studies of it (Ferreira, Bridges, Brightwell,
//         Characterizing application sensitivity to OS interference using kernel-level noise injection, SC 2008).
// Not     what the kernel's own ticks and threads take in the guest: it has them anyway.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace vicino::lab {

class Noise {
 public:
  // Cycles; with `every` 0 there is none.
  Noise(int cpus, std::uint64_t every, std::uint64_t length, std::uint64_t seed)
      : every_(every), length_(length), random_(seed), next_(cpus) {}

  // From this clock on.
  void begin(std::uint64_t now) {
    for (std::uint64_t& next : next_) next = after(now);
  }

  // The CPU runs at `now`. Returns for how many cycles it stops.
  std::uint64_t stops(int cpu, std::uint64_t now) {
    if (every_ == 0) return 0;
    std::uint64_t clock = now;
    for (std::uint64_t& next = next_[cpu]; next <= clock;) {
      const std::uint64_t end = next + length_;
      if (end > clock) clock = end;
      next = after(end);
    }
    return clock - now;
  }

 private:
  std::uint64_t after(std::uint64_t clock) {
    const double pause = std::exponential_distribution<double>(1.0)(random_) * static_cast<double>(every_);
    return clock + 1 + static_cast<std::uint64_t>(pause);
  }

  std::uint64_t every_, length_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> next_;  // when the CPU's next stop begins
};

}  // namespace vicino::lab
