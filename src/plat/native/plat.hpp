// plat.hpp: the seam on a real machine: std::atomic, the CPU's clock, futexes.
#pragma once

#include <algorithm>
#include <atomic>
#include <climits>
#include <concepts>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::plat {

template <class T>
using atomic = std::atomic<T>;
static_assert(std::same_as<atomic<int>, std::atomic<int>>);

template <class T>
concept WaitWord = std::same_as<T, uint32_t> || std::same_as<T, uint64_t>;

inline constexpr unsigned kAll = INT_MAX;

// Monotonic time in nanoseconds since an arbitrary start.
uint64_t now() noexcept;

// xorshift64* per thread, seeded from the thread's address and the clock.
uint64_t rnd() noexcept;

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

namespace detail {
void futex_wait(const void* word, uint32_t seen) noexcept;
void futex_wake(const void* word, unsigned count) noexcept;
void yield() noexcept;
}  // namespace detail

// Polls `word` until it is no longer `seen` or the budget is used up; gives the last value read,
// with acquire order. The clock is read only every so often: a short wait costs loads alone. A
// longer one offers its core to others at each look at the clock: if the thread waited for has lost
// its core, polling on would only keep it from coming back. When somebody took the offer, as the
// time that has passed shows, `lost_core` is set and the polling ends.
template <WaitWord T>
T wait_on(const atomic<T>& word, T seen, Budget& budget) noexcept {
  const int polls_per_clock = std::max(32 / budget.pauses, 1);
  constexpr uint64_t kLostNs = 5'000;  // many times what the polls and a yield to nobody take
  uint64_t deadline = 0, last = 0;
  for (;;) {
    for (int i = 0; i < polls_per_clock; ++i) {
      if (T value = word.load(std::memory_order_acquire); value != seen) {
        if (last != 0) budget.lost_core = now() - last > kLostNs;
        return value;
      }
      if (budget.ns == 0) return seen;
      for (int pause = 0; pause < budget.pauses; ++pause) relax();
    }
    const uint64_t time = now();
    if (deadline == 0) deadline = time + budget.ns;
    budget.lost_core = last != 0 && time - last > kLostNs;
    if (time >= deadline || budget.lost_core) return word.load(std::memory_order_acquire);
    last = time;
    detail::yield();
  }
}

// Sleeps while `word` is `seen`. May return early; the caller looks again.
template <WaitWord T>
void sleep_on(const atomic<T>& word, T seen) noexcept {
  detail::futex_wait(&word,
                     static_cast<uint32_t>(seen));  // little-endian: the low half comes first
}

template <WaitWord T>
void wake(const atomic<T>& word, unsigned count = kAll) noexcept {
  detail::futex_wake(&word, count);
}

}  // namespace vicino::plat
