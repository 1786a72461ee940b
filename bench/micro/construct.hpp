// construct.hpp: the constructs that are measured, and the few tools that a measured body may use.
//
// A construct is a function that performs `ops` operations on a team of `threads` and says whether
// everything it counted was right. The figure is wall time / ops. Bodies have no payload: a payload
// that is subtracted later (EPCC's way) adds its own noise to figures of a few nanoseconds. Besides
// the construct a body only increments a counter on the thread's own cache line; every runtime
// executes the same machine code, so ratios are not affected.
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
  // Whether the loaded runtime crashes in it, ends the program for want of the feature, or does something
  // else instead; null: no runtime does.
  bool (*crashes)(int threads) = nullptr;
};

inline constexpr int kMaxThreads = 1024;

// Counts by thread, two cache lines apart, because x86 fetches lines in pairs.
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

// Forces a value to exist in the generated code, so that the optimiser keeps the loop around it.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+r"(value));
}

// One thread's part of `ops` when all threads share the work.
inline long share_of(long ops, int thread, int threads) {
  return ops / threads + (thread < ops % threads ? 1 : 0);
}

std::span<const Construct> parallel_family();
std::span<const Construct> loop_family();
std::span<const Construct> ordered_family();
std::span<const Construct> doacross_family();
std::span<const Construct> sync_family();
std::span<const Construct> lock_family();
std::span<const Construct> single_family();
std::span<const Construct> reduction_family();
std::span<const Construct> task_family();
std::span<const Construct> memory_family();

}  // namespace bench
