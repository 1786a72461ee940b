// first_made.hpp: a value that is made when somebody asks for it first.
//
// Why    A local static has a guard. If one thread makes the value while another calls fork(), the child finds
//        the guard taken for ever. Here no thread waits for another: if several ask at once, each makes a value,
//        and the first to publish its own wins.
// Cost   one acquire load, as a guard.
// Not    for a value whose making changes what a second maker reads; what it says to the user may be said
//        twice. Never destroyed, for threads outlive main().
//
// Memory order
//  (1) acquire load, pairs with (2): a thread that reads the pointer sees the value behind it.
//  (2) compare_exchange: release on success, acquire on failure as in (1).
#pragma once

#include <atomic>

namespace vicino {

template <class T>
class FirstMade {
 public:
  constexpr FirstMade() noexcept = default;
  FirstMade(const FirstMade&) = delete;

  // `make` returns a value of T.
  template <class Make>
  T& get(Make make) {
    if (T* const found = known_.load(std::memory_order_acquire)) [[likely]]  // (1)
      return *found;
    return publish(new T(make()));
  }

 private:
  T& publish(T* mine) noexcept {
    T* first = nullptr;
    if (known_.compare_exchange_strong(first, mine, std::memory_order_acq_rel))  // (2)
      return *mine;
    delete mine;
    return *first;
  }

  std::atomic<T*> known_{nullptr};
};

}  // namespace vicino
