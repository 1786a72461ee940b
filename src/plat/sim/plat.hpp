// plat.hpp: the seam under virtual time: each use of an atomic costs what team.hpp says.
//
// An atomic is as large as its value, so objects fill the same lines as in the product. Outside of
// a team (sim::Team::run()) an atomic is a plain variable, and time stands still.
// Memory orders are not looked at: all uses of atomics have one order, that of virtual time. What a
// weaker order allows is the model checker's business.
#pragma once

#include <atomic>
#include <climits>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "plat/plat.hpp"
#include "plat/sim/team.hpp"

namespace vicino::plat {

template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  using Order = std::memory_order;
  static constexpr Order kSeqCst = std::memory_order_seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  constexpr atomic() noexcept : value_{} {}
  constexpr atomic(T value) noexcept : value_(value) {}  // NOLINT: implicit, like std::atomic's
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  operator T() const noexcept { return load(); }
  T operator=(T value) noexcept { return store(value), value; }

  T load(Order = kSeqCst) const noexcept {
    if (auto* team = sim::Team::current()) team->load(this);
    return value_;
  }
  void store(T desired, Order = kSeqCst) noexcept {
    update([=](T) { return desired; });
  }
  T exchange(T desired, Order = kSeqCst) noexcept {
    return update([=](T) { return desired; });
  }

  bool compare_exchange_strong(T& expected, T desired, Order = kSeqCst, Order = kSeqCst) noexcept {
    const T old = update([&](T now) { return same(now, expected) ? desired : now; });
    const bool done = same(old, expected);
    if (!done) {
      expected = old;
      if (auto* team = sim::Team::current()) team->failed(this);
    }
    return done;
  }
  bool compare_exchange_weak(T& expected, T desired, Order success = kSeqCst,
                             Order failure = kSeqCst) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }

  T fetch_add(auto n, Order = kSeqCst) noexcept {
    return update([=](T old) { return static_cast<T>(old + n); });
  }
  T fetch_sub(auto n, Order = kSeqCst) noexcept {
    return update([=](T old) { return static_cast<T>(old - n); });
  }
  T fetch_and(T mask, Order = kSeqCst) noexcept {
    return update([=](T old) { return static_cast<T>(old & mask); });
  }
  T fetch_or(T mask, Order = kSeqCst) noexcept {
    return update([=](T old) { return static_cast<T>(old | mask); });
  }
  T fetch_xor(T mask, Order = kSeqCst) noexcept {
    return update([=](T old) { return static_cast<T>(old ^ mask); });
  }

 private:
  static bool same(T a, T b) noexcept { return std::memcmp(&a, &b, sizeof(T)) == 0; }

  template <class F>
  T update(F next) noexcept {
    if (auto* team = sim::Team::current()) team->update(this);
    const T old = value_;
    value_ = next(old);
    return old;
  }

  T value_;
};

template <class T>
concept WaitWord = std::same_as<T, uint32_t> || std::same_as<T, uint64_t>;
// A type that wait_on() can poll. No thread sleeps on a word of one byte.
template <class T>
concept PollWord = WaitWord<T> || std::same_as<T, uint8_t>;

inline constexpr unsigned kAll = INT_MAX;
inline constexpr uint64_t kForever = UINT64_MAX;

// Nanoseconds of the member's own clock.
inline uint64_t now() noexcept {
  auto* team = sim::Team::current();
  if (team == nullptr) return 0;
  team->work(team->costs().clock);
  return team->clock() / sim::kNanosecond;
}

inline uint64_t rnd() noexcept {
  auto* team = sim::Team::current();
  return team != nullptr ? team->random() : 0;
}

inline void relax() noexcept {
  if (auto* team = sim::Team::current()) team->work(team->costs().poll);
}
inline void yield() noexcept { relax(); }

inline void light_fence() noexcept {}
inline void heavy_fence() noexcept {
  if (auto* team = sim::Team::current()) team->work(team->costs().call);
}

namespace detail {
inline sim::Time after(const sim::Team& team, uint64_t ns) noexcept {
  const uint64_t left = sim::Team::kNever - team.clock();
  return ns < left / sim::kNanosecond ? team.clock() + ns * sim::kNanosecond : sim::Team::kNever;
}
}  // namespace detail

template <PollWord T>
T wait_on(const atomic<T>& word, T seen, const auto& budget) noexcept {
  auto* team = sim::Team::current();
  if (team == nullptr) return word.load();
  const sim::Time until = detail::after(*team, budget.ns);
  T value = word.load();
  while (value == seen && team->clock() < until) {
    team->wait_for_update(&word, until);
    value = word.load();
  }
  return value;
}

// What glance() and peek() look at may change at any time, so here the member polls.
template <PollWord T, class Glance, class Peek>
T wait_on(const atomic<T>& word, T seen, const auto& budget, Glance glance, Peek peek) noexcept {
  auto* team = sim::Team::current();
  if (team == nullptr) return word.load();
  const sim::Time until = detail::after(*team, budget.ns);
  for (;;) {
    const T value = word.load();
    if (value != seen || team->clock() >= until || peek() || glance()) return value;
    relax();
  }
}
template <PollWord T, class Glance>
  requires std::predicate<Glance>
T wait_on(const atomic<T>& word, T seen, const auto& budget, Glance glance) noexcept {
  return wait_on(word, seen, budget, glance, [] { return false; });
}

template <WaitWord T>
void sleep_on(const atomic<T>& word, T seen, uint64_t most_ns = kForever) noexcept {
  auto* team = sim::Team::current();
  if (team == nullptr) return;
  if (static_cast<uint32_t>(word.load()) != static_cast<uint32_t>(seen)) return;
  team->sleep(&word, detail::after(*team, most_ns));
}

template <WaitWord T>
void wake(const atomic<T>& word, unsigned count = kAll) noexcept {
  if (auto* team = sim::Team::current()) team->wake(&word, count);
}

}  // namespace vicino::plat
