// plat.hpp: the seam on a real machine: std::atomic, the CPU's clock, futexes.
#pragma once

#include <atomic>
#include <climits>
#include <concepts>
#include <cstdint>

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

// Polls `word` until it is no longer `seen` or about `spin_ns` nanoseconds passed; gives the last
// value read, with acquire order. The clock is read only every so often: a short wait costs loads
// alone. A longer one offers its core to others at each look at the clock: if the thread waited for
// has lost its core to another program, polling on would only keep it from coming back.
template <WaitWord T>
T wait_on(const atomic<T>& word, T seen, uint64_t spin_ns) noexcept {
  constexpr int kPollsPerClock = 32;
  uint64_t deadline = 0;
  for (;;) {
    for (int i = 0; i < kPollsPerClock; ++i) {
      if (T value = word.load(std::memory_order_acquire); value != seen) return value;
      if (spin_ns == 0) return seen;
      relax();
    }
    const uint64_t time = now();
    if (deadline == 0) deadline = time + spin_ns;
    if (time >= deadline) return word.load(std::memory_order_acquire);
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
