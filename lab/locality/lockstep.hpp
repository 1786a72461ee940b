// lockstep.hpp: modelled time, the same for all CPUs (rule R9 of memory.hpp).
//
// QEMU runs the CPUs of the guest in turns on one thread. The length of QEMU's own turns depends on
// the host; here a turn ends when the CPU's own clock is a quantum past the round's time.
//
//  L1 A round is one turn of each CPU that is not halted. A new round begins when the turn goes to
//     a CPU whose number is not above that of the last one.
//  L2 A round's time is the least clock of the CPUs that ran in the round before. By L4 it never
//     goes back.
//  L3 A turn ends when the CPU's clock has reached the round's time plus the quantum. A block that
//     runs over the end makes the CPU's next turn shorter; a CPU that is a quantum or more ahead
//     when its turn comes runs no block in it.
//  L4 A turn begins no earlier than the round's time. No CPU that ran in the round before has a
//     clock behind that time, so only the clock of a CPU that was halted is moved.
//  L5 A CPU that gives its turn up early, by a PAUSE or for an interrupt, has waited for the rest
//     of the turn. So a round is never shorter than a quantum; otherwise a waiting CPU would hold
//     the time back.
//  L6 While all CPUs are halted no round begins. jump() then begins one, at a later time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vicino::lab {

class Lockstep {
 public:
  Lockstep(int cpus, std::uint64_t quantum) : quantum_(quantum), cpus_(cpus) {}

  // The CPU is about to run a block. Returns by how much the time of the rounds has moved on.
  std::uint64_t enter(int cpu) {
    if (cpu == current_ && !over_) return 0;
    const std::uint64_t before = time_;
    if (current_ >= 0) cpus_[current_].now = std::max(cpus_[current_].now, time_ + quantum_);  // L5
    if (cpu <= current_) next_round();                                                         // L1
    Clock& clock = cpus_[cpu];
    clock.now = std::max(clock.now, time_);  // L4
    clock.round = round_;
    current_ = cpu;
    over_ = false;
    return time_ - before;
  }

  // L3, after enter(): whether the CPU is too far ahead to run the block.
  bool must_wait(int cpu) {
    over_ = over_ || cpus_[cpu].now >= time_ + quantum_;
    return over_;
  }

  void advance(int cpu, std::uint64_t cycles) { cpus_[cpu].now += cycles; }

  // L6
  void jump(std::uint64_t time) {
    time_ = std::max(time_, time);
    ++round_;
    current_ = -1;
  }

  // For the turns that begin from now on.
  void set_quantum(std::uint64_t quantum) { quantum_ = quantum; }

  // L3. True once per turn: the next block of the same CPU begins a turn of its own.
  bool turn_over(int cpu) {
    over_ = cpus_[cpu].now >= time_ + quantum_;
    return over_;
  }

  std::uint64_t now(int cpu) const { return cpus_[cpu].now; }
  std::uint64_t time() const { return time_; }
  int current() const { return current_; }  // the CPU whose turn it is; -1 before the first
  std::uint64_t latest() const {
    std::uint64_t latest = 0;
    for (const Clock& clock : cpus_) latest = std::max(latest, clock.now);
    return latest;
  }

 private:
  struct Clock {
    std::uint64_t now = 0;
    std::uint64_t round = 0;  // the last one it had a turn in; rounds count from 1
  };

  void next_round() {
    std::uint64_t least = ~std::uint64_t{0};
    for (const Clock& clock : cpus_)
      if (clock.round == round_) least = std::min(least, clock.now);
    // L2. current_ had a turn, so `least` is a clock. By L4 it is below time_ only after a jump.
    time_ = std::max(time_, least);
    ++round_;
  }

  std::uint64_t quantum_;
  std::vector<Clock> cpus_;
  std::uint64_t time_ = 0;
  std::uint64_t round_ = 1;
  int current_ = -1;
  bool over_ = false;
};

}  // namespace vicino::lab
