// plat.hpp: the seam under the model checker: each use of an atomic is a step of an Execution.
//
// An atomic is as large as its value and has no destructor, so layouts and lifetimes are the
// product's; the checker knows an atomic by its address. Outside an execution the atomic is a plain
// variable. The budget of wait_on() is not modelled: it may run out at any time.
#pragma once

#include <atomic>
#include <climits>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "plat/model/execution.hpp"

namespace vicino::plat {

template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  using Order = std::memory_order;
  using Where = model::Where;
  static constexpr Order kSeqCst = std::memory_order_seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  constexpr atomic() noexcept : atomic(T{}) {}
  constexpr atomic(T value) noexcept : value_(value) {  // NOLINT: implicit, like std::atomic's
    if (!std::is_constant_evaluated()) announce();      // gcc 12 accepts the condition in this form
  }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  operator T() const noexcept { return load(); }
  T operator=(T value) noexcept { return store(value), value; }

  T load(Order order = kSeqCst, Where where = Where::current()) const noexcept {
    auto* run = model::Execution::current();
    return run ? value(run->load(word(), order, where)) : value_;
  }

  void store(T desired, Order order = kSeqCst, Where where = Where::current()) noexcept {
    if (auto* run = model::Execution::current()) run->store(word(), bits(desired), order, where);
    value_ = desired;
  }

  T exchange(T desired, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T) { return desired; }, order, where);
  }

  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure,
                               Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, success, failure, false, where);
  }
  bool compare_exchange_strong(T& expected, T desired, Order order = kSeqCst,
                               Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, order, on_failure(order), false, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure,
                             Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, success, failure, true, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order order = kSeqCst,
                             Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, order, on_failure(order), true, where);
  }

  T fetch_add(auto n, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T old) { return static_cast<T>(old + n); }, order, where);
  }
  T fetch_sub(auto n, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T old) { return static_cast<T>(old - n); }, order, where);
  }
  T fetch_and(T mask, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T old) { return static_cast<T>(old & mask); }, order, where);
  }
  T fetch_or(T mask, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T old) { return static_cast<T>(old | mask); }, order, where);
  }
  T fetch_xor(T mask, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return update([=](T old) { return static_cast<T>(old ^ mask); }, order, where);
  }

  // The seam's own functions below use these.
  model::Word word() const noexcept { return {this, bits(value_)}; }
  static uint64_t bits(T value) noexcept {
    uint64_t all = 0;
    std::memcpy(&all, &value, sizeof(T));
    return all;
  }
  static T value(uint64_t bits) noexcept {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }

 private:
  void announce() noexcept {
    if (auto* run = model::Execution::current()) run->construct(word());
  }

  static constexpr Order on_failure(Order order) noexcept {
    return order == std::memory_order_acq_rel   ? std::memory_order_acquire
           : order == std::memory_order_release ? std::memory_order_relaxed
                                                : order;
  }

  template <class F>
  T update(F next, Order order, const Where& where) noexcept {
    auto* run = model::Execution::current();
    if (run) run->begin_rmw(word(), order, where);
    const T old = value_;
    const T desired = next(old);
    if (run) run->end_rmw(word(), bits(desired), order, where);
    value_ = desired;
    return old;
  }

  bool compare_exchange(T& expected, T desired, Order success, Order failure, bool weak,
                        const Where& where) noexcept {
    uint64_t found = bits(expected);
    bool done = found == bits(value_);
    if (auto* run = model::Execution::current())
      done = run->compare_exchange(word(), found, bits(desired), success, failure, weak, where);
    else
      found = bits(value_);
    if (done)
      value_ = desired;
    else
      expected = value(found);
    return done;
  }

  T value_;  // the newest value
};

template <class T>
concept WaitWord = std::same_as<T, uint32_t> || std::same_as<T, uint64_t>;
// A type that wait_on() can poll. No thread sleeps on a word of one byte.
template <class T>
concept PollWord = WaitWord<T> || std::same_as<T, uint8_t>;

inline constexpr unsigned kAll = INT_MAX;
inline constexpr uint64_t kForever = UINT64_MAX;

inline uint64_t now() noexcept {
  auto* run = model::Execution::current();
  return run ? run->now() : 0;
}

inline uint64_t rnd() noexcept {
  auto* run = model::Execution::current();
  return run ? run->random() : 0;
}

inline void relax(model::Where where = model::Where::current()) noexcept {
  if (auto* run = model::Execution::current()) run->relax(where);
}

inline void yield(model::Where where = model::Where::current()) noexcept { relax(where); }

template <PollWord T>
T wait_on(const atomic<T>& word, T seen, const auto& /*budget*/,
          model::Where where = model::Where::current()) noexcept {
  auto* run = model::Execution::current();
  return run ? static_cast<T>(run->wait_on(word.word(), seen, where)) : word.load();
}

// After a poll in vain glance() may be called or not, since the budget may be used up first; the
// poll ends in either case, whatever glance() answers.
template <PollWord T, class Glance>
  requires std::predicate<Glance>
T wait_on(const atomic<T>& word, T seen, const auto& budget, Glance glance,
          model::Where where = model::Where::current()) noexcept {
  const T value = wait_on(word, seen, budget, where);
  if (auto* run = model::Execution::current(); run && value == seen && run->perhaps()) glance();
  return value;
}

// The checker ignores peek(): glance() may see all that peek() sees.
template <PollWord T, class Glance>
T wait_on(const atomic<T>& word, T seen, const auto& budget, Glance glance, auto /*peek*/,
          model::Where where = model::Where::current()) noexcept {
  return wait_on(word, seen, budget, glance, where);
}

// This fence orders only the compiler. It is no step, because each access is made when it is
// called.
inline void light_fence() noexcept {}

inline void heavy_fence(model::Where where = model::Where::current()) noexcept {
  if (auto* run = model::Execution::current()) run->heavy_fence(where);
}

template <WaitWord T>
void sleep_on(const atomic<T>& word, T seen, uint64_t most_ns = kForever,
              model::Where where = model::Where::current()) noexcept {
  if (auto* run = model::Execution::current())
    run->sleep_on(word.word(), seen, most_ns == kForever, where);
}

template <WaitWord T>
void wake(const atomic<T>& word, unsigned count = kAll,
          model::Where where = model::Where::current()) noexcept {
  if (auto* run = model::Execution::current()) run->wake(word.word(), count, where);
}

}  // namespace vicino::plat
