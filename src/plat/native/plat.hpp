// plat.hpp: the seam on a real machine: std::atomic, the CPU's clock, futexes.
//
// Memory order
//  F1 light_fence() of one thread pairs with heavy_fence() of another.
//  W1 the acquire loads of wait_on() pair with the release that changes the word; the caller names
//     that release.
#pragma once

#include <algorithm>
#include <atomic>
#include <climits>
#include <concepts>
#include <cstdint>
#include <utility>

#include "plat/plat.hpp"

namespace vicino::plat {

template <class T>
using atomic = std::atomic<T>;
static_assert(std::same_as<atomic<int>, std::atomic<int>>);

// An atomic view of plain memory that other threads may read while it passes between owners.
template <class T>
using atomic_ref = std::atomic_ref<T>;

template <class T>
concept WaitWord = std::same_as<T, uint32_t> || std::same_as<T, uint64_t>;
// A type that wait_on() can poll. No thread sleeps on a word of one byte.
template <class T>
concept PollWord = WaitWord<T> || std::same_as<T, uint8_t>;

inline constexpr unsigned kAll = INT_MAX;
inline constexpr uint64_t kForever = UINT64_MAX;  // ns

// Monotonic time in nanoseconds since an arbitrary start.
uint64_t now() noexcept;

// Told before a thread sleeps and after it wakes, if somebody wants to know. Relaxed: that it is a little late matters to
// nobody.
inline constinit atomic<void (*)(bool begins) noexcept> asleep{nullptr};

// xorshift64* with a state per thread; the thread's address and the clock seed it.
uint64_t rnd() noexcept;

// A short pause between two looks at a word. Arm's `yield` does nothing on processors whose cores run one thread each,
// and these are nearly all; `isb` refills the pipeline, which takes about as long as x86's `pause`. Where several threads
// share a core, or an emulator runs all of them, `yield` lets the others go first. (`wfe` would wait for the line itself,
// but then nobody looks at the clock.)
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield\n\tisb" ::: "memory");
#endif
}

namespace detail {
extern bool asymmetric_fences;  // set once, before main()
void heavy_fence() noexcept;
void futex_wait(const void* word, uint32_t seen, uint64_t most_ns) noexcept;
void futex_wake(const void* word, unsigned count) noexcept;
}  // namespace detail

// Lets another thread that is ready run on this core first.
void yield() noexcept;

// What a thread that polls asks about the time that others took from it; lost_time.hpp has more.

// Whether the calling thread may have been away because the quota was used up: threads were stopped since it
// last asked, or it is the first time for a while that it asks. False where there is no quota.
bool was_throttled() noexcept;
namespace detail {
// The calling thread polls, and was away from its core for a time slice: crowd.hpp.
void lost_slice(uint64_t now) noexcept;
// It was away for less: another thread took the core that it offered, and gave it back.
void lost_moment(uint64_t now) noexcept;
// What the calling thread has waited for so far says nothing of other processes.
void forget_run_delay() noexcept;
// Whether the kernel has preempted the calling thread since the last call. False in the first call,
// and where the kernel does not tell.
bool was_switched() noexcept;
// Whether more threads of the machine are ready than it has CPUs, and the process has some that Vicino does not know.
// Without these the ready ones are of other processes: what they take tells more (crowd.hpp), for many are of low
// priority. False where that cannot be known. `waits_long`: it is enough that it has some.
bool others_may_wait(bool waits_long) noexcept;
// The calling thread has offered its core `offers` times since the last call, kOffers as a rule. Whether it is to sleep,
// since another thread of the process is on that core: shared_core.cpp.
inline constexpr int kOffers = 64;
bool shares_core(int offers) noexcept;
// Another thread of the process took the core that was offered, and gave it back. Whether the next wait is to sleep, since
// that thread was Vicino's.
bool lost_core(uint64_t now) noexcept;
// The calling thread, which has polled for long, sleeps for a moment: shared_core.cpp.
void nap() noexcept;
// The calling thread tells the others on which CPU it is (occupants.hpp).
void enter_cpu() noexcept;
// Whether it is to sleep, since another thread of Vicino's is on that core and threads that Vicino does not know may have the
// others. It moves instead if no core is idle.
bool meets_member(uint64_t now) noexcept;
}  // namespace detail

// The kernel's membarrier(), in heavy_fence(), makes each running thread of the process pass a full
// fence, so the light fence needs only the compiler's order.
inline void light_fence() noexcept {
  if (detail::asymmetric_fences) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
inline void heavy_fence() noexcept { detail::heavy_fence(); }

namespace detail {

// The core time of one wait: how much of the budget is left, and which thread took the core when it
// was offered.
//
// A waiting thread offers its core to others by yield() at each look at the clock: if the awaited
// thread has lost its core, more polling would only keep it from running. The time away tells which
// thread took the offer, if any did:
//  - A thread of Vicino gives the core back soon, because it is a waiter too. Then `lost_core` is
//    set and the polling ends, since a sleeping thread can be woken on another core. The kernel's
//    count of switches must agree: where many threads want one line, polls alone may last as long.
//    Two threads that only wait for each other change places sooner than any absence shows, so
//    shares_core() looks at the count of switches alone after every kOffers offers.
//  - A thread that the kernel has placed behind this one gets nothing by an offer. For that, this one sleeps for a
//    moment after kNapNs, and after twice as long: nap().
//  - A thread that is not Vicino's takes a whole time slice, whether the core was offered or not. Then this one holds
//    its core for a while in each wait before it offers it: in a short wait the members run side by side, and
//    who gives its core away is missed in the next. The hold is shorter again when offers prove cheap.
// With `share_core` the offer is the point: it is made after every few polls, and the time that
// other threads use is not charged to the budget. But if a thread takes a whole time slice, and the
// budget heeds a crowd, this one is outrun (Outrun), and all its waits sleep at once. A slice that was
// lost because the quota was used up does not count.
class CoreTime {
 public:
  explicit CoreTime(Budget& budget) noexcept : budget_(budget), left_(budget.ns) {
    budget_.lost_core = budget_.others_wait = false;
  }

  bool used_up() const noexcept { return left_ == 0; }
  uint64_t left() const noexcept { return left_; }
  bool polling_is_vain() const noexcept { return used_up() || budget_.lost_core; }

  // Looks at the clock, and charges the time since the last look. To judge an absence may take longer than
  // kLostNs; that is no absence.
  [[gnu::noinline]] void look() noexcept {
    const uint64_t time = now();
    const uint64_t passed = last_ == 0 ? 0 : time - last_;
    enter_cpu();
    judge_absence(passed);
    last_ = passed > kLostNs ? now() : time;
    if (began_ == 0) began_ = time;
    left_ -= std::min(std::min(passed, kLostNs), left_);
    if (budget_.share_core && budget_.heeds_crowd && outrun_.lasts(time)) left_ = 0;
    if (budget_.heeds_others) look_for_others(time);
  }

  void offer_core() noexcept {
    offered_ = budget_.share_core || last_ - began_ >= hold_ns_;
    if (!offered_) return;
    if (last_ - began_ >= next_nap_ && budget_.heeds_crowd && !budget_.share_core)
      return take_nap();
    yield();
    if (!budget_.share_core && ++offers_ >= kOffers) judge_offers();
  }

  // The word has changed, so no further look judges the last offer.
  void end() noexcept {
    if (offered_) judge_absence(now() - last_);
  }

 private:
  // The first look at the number of ready threads, which takes 0.8 us, is after so long; each later one after twice as
  // long. So looks take a tenth of a wait at most.
  static constexpr uint64_t kFirstLookNs = 10'000;
  // Where the process has threads that Vicino does not know, they find its cores idle after so long, however few they
  // are now. Where it has none, polling goes on: a region after 2 ms of serial work takes 57 us then, and 130 if its
  // threads have slept (50 us of work, two CPUs of a virtual machine).
  static constexpr uint64_t kLongNs = 1'000'000;

  [[gnu::noinline]] void look_for_others(uint64_t time) noexcept {
    const uint64_t waited = time - began_;
    if (waited < next_look_) return;
    next_look_ = waited < kLongNs ? std::min(2 * next_look_, kLongNs) : 2 * next_look_;
    if (meets_member(time)) budget_.lost_core = true;
    if (!others_may_wait(waited >= kLongNs)) return;
    if (waited < kLongNs) {
      judge_offers();  // others may take turns with this thread: these do not wait
      if (!others_may_wait(false)) return;
    }
    budget_.others_wait = true;
    left_ = 0;
  }

  // What passes meanwhile is no absence.
  [[gnu::noinline]] void take_nap() noexcept {
    next_nap_ *= 2;
    nap();
    offered_ = false;
    last_ = now();
  }

  void judge_offers() noexcept {
    if (shares_core(std::exchange(offers_, 0))) budget_.lost_core = true;
  }

  // Four times as long as a nap takes in a virtual machine (38 us).
  static constexpr uint64_t kNapNs = 150'000;
  static constexpr uint64_t kLostNs = 5'000;  // far above the polls and a yield without a taker
  // After an offer that cost a slice, and what is left of the hold after a cheap one. Regions of 20 us that run side by
  // side end within kHoldNs; with a half of it they take as long, with twice of it eight copies take 2.3 times the least
  // time instead of 1.7, and with a kCheaper of 2 some runs take 1.4 alone (docs/design/waiting.md).
  static constexpr uint64_t kHoldNs = 40'000, kCheaper = 4;

  void judge_absence(uint64_t away) noexcept {
    if (away <= kLostNs) return;
    const uint64_t back = last_ + away;
    const bool took_slice = away >= Outrun::kSliceNs;
    if (budget_.share_core) {
      if (took_slice && offered_ && budget_.heeds_crowd && !was_throttled()) outrun_.begin(back);
    } else if (took_slice) {
      hold_ns_ = kHoldNs;
      budget_.lost_slice = true;
      if (budget_.heeds_crowd) lost_slice(back);
    } else if (offered_ && was_switched()) {
      hold_ns_ /= kCheaper;
      if (lost_core(back)) budget_.lost_core = true;
      if (budget_.heeds_crowd) lost_moment(back);
    }
  }

  inline static thread_local constinit Outrun outrun_;   // with share_core
  // Without it: offers since shares_core(), and how long a wait polls before its first one.
  inline static thread_local constinit int offers_ = 0;
  inline static thread_local constinit uint64_t hold_ns_ = 0;

  Budget& budget_;
  uint64_t left_;
  uint64_t last_ = 0;                              // the last look at the clock
  uint64_t began_ = 0;                             // the first one
  uint64_t next_look_ = kFirstLookNs;              // with heeds_others
  uint64_t next_nap_ = kNapNs;
  bool offered_ = false;                           // since `last_`
};

// Polls `word` a few times: true, with its value, when the wait is over.
template <PollWord T, class Peek>
[[gnu::always_inline]] inline bool poll(const atomic<T>& word, T seen, T& value, int polls,
                                        const Budget& budget, const CoreTime& core,
                                        Peek& peek) noexcept {
  for (int i = 0; i < polls; ++i) {
    value = word.load(std::memory_order_acquire);  // W1
    if (value != seen || core.used_up() || peek()) return true;
    for (int pause = 0; pause < budget.pauses; ++pause) relax();
  }
  return false;
}

}  // namespace detail

// Polls `word` until it is no longer `seen` or the budget is used up; returns the last value read,
// with acquire order (W1). The clock is read only after several polls: a short wait costs loads
// alone.
//
// At each look at the clock wait_on() also calls glance(), and at each poll peek(), which has to be
// cheap: true from either ends the polling. The budget is then what is left of it, so that a caller who
// looks elsewhere and polls on comes to an end. detail::CoreTime says when polling is in vain.
template <PollWord T, class Glance, class Peek>
T wait_on(const atomic<T>& word, T seen, Budget& budget, Glance glance, Peek peek) noexcept {
  const int polls_per_clock = std::max((budget.share_core ? 4 : 32) / budget.pauses, 1);
  detail::CoreTime core(budget);
  for (;;) {
    T value;
    if (detail::poll(word, seen, value, polls_per_clock, budget, core, peek)) {
      if (value != seen)
        core.end();
      else
        budget.ns = core.left();
      return value;
    }
    core.look();
    if (core.polling_is_vain() || glance()) {
      budget.ns = core.left();
      return word.load(std::memory_order_acquire);  // W1
    }
    core.offer_core();
  }
}

template <PollWord T, class Glance>
T wait_on(const atomic<T>& word, T seen, Budget& budget, Glance glance) noexcept {
  return wait_on(word, seen, budget, glance, [] { return false; });
}

template <PollWord T>
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
