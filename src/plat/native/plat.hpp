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

// For plain memory whose other users look at it while it changes hands.
template <class T>
using atomic_ref = std::atomic_ref<T>;

template <class T>
concept WaitWord = std::same_as<T, uint32_t> || std::same_as<T, uint64_t>;

inline constexpr unsigned kAll = INT_MAX;
inline constexpr uint64_t kForever = UINT64_MAX;  // ns

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
extern bool asymmetric_fences;  // set once, before main()
void heavy_fence() noexcept;
void futex_wait(const void* word, uint32_t seen, uint64_t most_ns) noexcept;
void futex_wake(const void* word, unsigned count) noexcept;
}  // namespace detail

// Another thread that is ready may have this core first.
void yield() noexcept;

// The kernel's membarrier() makes each running thread of the process pass a full fence; so the
// other side needs none of its own, only the compiler's order.
inline void light_fence() noexcept {
  if (detail::asymmetric_fences) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
inline void heavy_fence() noexcept { detail::heavy_fence(); }

// Polls `word` until it is no longer `seen` or the budget is used up; gives the last value read,
// with acquire order. The clock is read only every so often: a short wait costs loads alone.
//
// At each look at the clock the core is offered to others: if the thread waited for has lost its
// core, polling on would only keep it from coming back. The time that passes tells who took the
// offer, if anybody did. One of ours gives the core back soon, for it waits in its turn: then
// `lost_core` is set and the polling ends, for asleep this thread can be woken on another core. A
// stranger takes a whole time slice: if that `may_withhold`, no more offers are made for a while,
// so that this thread has its own slices whole; and in that while it polls for kWithheldNs at the
// most, for it may have been one of ours after all, that had much to do. Where cores are shared,
// the offer is the point: made after every few polls, and what others use is not charged to the
// budget.
//
// At each look at the clock glance() is asked, too, and at each poll peek(), which has to be cheap:
// true ends the polling.
template <WaitWord T, class Glance, class Peek>
T wait_on(const atomic<T>& word, T seen, Budget& budget, Glance glance, Peek peek) noexcept {
  constexpr uint64_t kLostNs = 5'000;     // many times what the polls and a yield to nobody take
  constexpr uint64_t kSliceNs = 500'000;  // less than any
  constexpr uint64_t kNoOfferNs = 100'000'000;  // many of them
  constexpr uint64_t kWithheldNs = 200'000;
  const int polls_per_clock = std::max((budget.share_core ? 4 : 32) / budget.pauses, 1);
  uint64_t left = budget.ns, last = 0;
  budget.lost_core = false;
  bool offered = false;  // since `last`
  const auto look_who_took_it = [&](uint64_t away) {
    if (!offered || away <= kLostNs || budget.share_core) return;
    budget.lost_core = away < kSliceNs;
    if (!budget.lost_core && budget.may_withhold) budget.offer_from = last + away + kNoOfferNs;
  };
  for (;;) {
    for (int i = 0; i < polls_per_clock; ++i) {
      if (T value = word.load(std::memory_order_acquire); value != seen) {
        if (offered) look_who_took_it(now() - last);
        return value;
      }
      if (left == 0 || peek()) return seen;
      for (int pause = 0; pause < budget.pauses; ++pause) relax();
    }
    const uint64_t time = now();
    const uint64_t passed = last == 0 ? 0 : time - last;
    look_who_took_it(passed);
    last = time;
    const uint64_t used = std::min(passed, kLostNs);
    left -= std::min(used, left);
    const bool withheld = time < budget.offer_from && !budget.share_core;
    if (withheld) left = std::min(left, kWithheldNs);
    if (left == 0 || budget.lost_core || glance()) return word.load(std::memory_order_acquire);
    offered = !withheld;
    if (offered) yield();
  }
}

template <WaitWord T, class Glance>
T wait_on(const atomic<T>& word, T seen, Budget& budget, Glance glance) noexcept {
  return wait_on(word, seen, budget, glance, [] { return false; });
}

template <WaitWord T>
T wait_on(const atomic<T>& word, T seen, Budget& budget) noexcept {
  return wait_on(word, seen, budget, [] { return false; }, [] { return false; });
}

// Sleeps while `word` is `seen`, for `most_ns` at most. May return early; the caller looks again.
template <WaitWord T>
void sleep_on(const atomic<T>& word, T seen, uint64_t most_ns = kForever) noexcept {
  detail::futex_wait(&word, static_cast<uint32_t>(seen),  // little-endian: the low half comes first
                     most_ns);
}

template <WaitWord T>
void wake(const atomic<T>& word, unsigned count = kAll) noexcept {
  detail::futex_wake(&word, count);
}

}  // namespace vicino::plat
