// construct.hpp: what is measured, and the little that a measured body may touch.
//
// A construct is a function that performs `ops` operations on a team of `threads` and says whether
// everything it counted came out right. Wall time / ops is the figure. Bodies carry no payload: a
// payload that is subtracted later (EPCC's way) adds its own noise to figures of a few nanoseconds.
// What a body does besides the construct is one increment of a counter on the thread's own cache
// line; the same machine code runs on every runtime, so ratios are not touched by it.
#pragma once
#include <array>
#include <numeric>
#include <span>
#include <string_view>

namespace bench {

struct Construct {
  std::string_view name;
  std::string_view unit;  // what one operation is
  bool (*run)(long ops, int threads);
};

inline constexpr int kMaxThreads = 256;

// Counts by thread, two cache lines apart: x86 fetches lines in pairs.
class Tally {
 public:
  void add(int thread) { ++slots_[thread].count; }
  long of(int thread) const { return slots_[thread].count; }
  long sum() const {
    return std::accumulate(slots_.begin(), slots_.end(), 0L,
                           [](long total, const Slot& slot) { return total + slot.count; });
  }
  bool each_is(long expected, int threads) const {
    for (int t = 0; t < threads; ++t)
      if (of(t) != expected) return false;
    return sum() == expected * threads;
  }

 private:
  struct alignas(128) Slot {
    long count = 0;
  };
  std::array<Slot, kMaxThreads> slots_{};
};

// Pins a value in the generated code, so that a loop around it survives the optimiser.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+r"(value));
}

// The part of `ops` that falls to one thread when all of them share the work.
inline long share_of(long ops, int thread, int threads) {
  return ops / threads + (thread < ops % threads ? 1 : 0);
}

std::span<const Construct> parallel_family();
std::span<const Construct> loop_family();
std::span<const Construct> ordered_family();
std::span<const Construct> sync_family();
std::span<const Construct> lock_family();
std::span<const Construct> single_family();
std::span<const Construct> reduction_family();
std::span<const Construct> task_family();

}  // namespace bench
