// atomics.hpp: what the entry points __kmpc_atomic_* do. make_atomics.py writes the entry points; each
// is one call of a function here.
//
// Why    Intel's compilers and old clangs call a function for each sort of atomic construct. There
//        are over five hundred: types, operations, and forms. Here a type and an operation are
//        template arguments, and a form is a function.
// How    An object of 1, 2, 4 or 8 bytes that is aligned is changed by compare-and-swap, so it may also
//        be changed by compiled atomic instructions at the same time. Any other is changed under a
//        lock, chosen by its address, so that all entry points agree on the lock of an object.
//
// Memory order: sequentially consistent, as in libomp; the construct's own clause is not passed. The load before
// a compare-and-swap, and a compare-and-swap that fails, are relaxed: the value that they give is a guess, which
// the next compare-and-swap checks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ompt/tool.hpp"
#include "region/locks.hpp"
#include "sync/lock.hpp"

namespace vicino::kmpc {

__extension__ using Complex4 = _Complex float;
__extension__ using Complex8 = _Complex double;
__extension__ using Complex10 = _Complex long double;
// Fortran's real(16) and complex(16), the _Quad of Intel's compilers: on x86-64 a type of its own,
// of which libgcc has the arithmetic; elsewhere long double.
#ifdef __SIZEOF_FLOAT128__
__extension__ using Real16 = __float128;
__extension__ using Complex16 [[gnu::mode(TC)]] = _Complex float;
#else
using Real16 = long double;
using Complex16 = Complex10;
#endif

// The operations. Integers are computed modulo 2^64 before they are narrowed, so that an overflow
// wraps around as in libomp.
namespace op {

template <class A, class B>
inline constexpr bool kBothIntegers = std::is_integral_v<A> && std::is_integral_v<B>;

template <class A>
uint64_t wide(A a) noexcept {
  return static_cast<uint64_t>(a);
}

// An operand in the type in which the language computes with the two.
template <class A, class B, class Operand>
auto in_common(Operand operand) noexcept {
  return static_cast<decltype(A{} * B{})>(operand);
}

struct Add {
  template <class A, class B>
  static auto apply(A a, B b) noexcept {
    if constexpr (kBothIntegers<A, B>)
      return wide(a) + wide(b);
    else
      return a + b;
  }
};
struct Sub {
  template <class A, class B>
  static auto apply(A a, B b) noexcept {
    if constexpr (kBothIntegers<A, B>)
      return wide(a) - wide(b);
    else
      return a - b;
  }
};
struct Mul {
  template <class A, class B>
  static auto apply(A a, B b) noexcept {
    if constexpr (kBothIntegers<A, B>)
      return wide(a) * wide(b);
    else
      return in_common<A, B>(a) * in_common<A, B>(b);
  }
};
struct Div {
  template <class A, class B>
  static auto apply(A a, B b) noexcept {
    return in_common<A, B>(a) / in_common<A, B>(b);
  }
};
struct And {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a & b;
  }
};
struct Or {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a | b;
  }
};
struct Xor {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a ^ b;
  }
};
struct Equivalent {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return ~(a ^ b);
  }
};
struct LogicalAnd {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a && b;
  }
};
struct LogicalOr {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a || b;
  }
};
struct ShiftLeft {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return wide(a) << b;
  }
};
struct ShiftRight {
  template <class A>
  static auto apply(A a, A b) noexcept {
    return a >> b;
  }
};
struct Min {
  template <class A>
  static A apply(A a, A b) noexcept {
    return b < a ? b : a;
  }
};
struct Max {
  template <class A>
  static A apply(A a, A b) noexcept {
    return a < b ? b : a;
  }
};

// The operation with its operands exchanged: x = expr op x.
template <class Op>
struct Reversed {
  template <class A, class B>
  static auto apply(A a, B b) noexcept {
    return Op::apply(b, a);
  }
};

}  // namespace op

// The lock of the object at this address.
region::GlobalLock& lock_of(const void* object) noexcept;

// Take and release a lock, and tell a tool of that if there is one; where the entry point returns
// to, and its caller's frame.
void take_told(region::GlobalLock& lock, const void* caller, void* frame) noexcept;
void release_told(region::GlobalLock& lock, const void* caller, void* frame) noexcept;

// The functions from here on become part of the entry point, so that the tool learns its caller.
class Locked {
 public:
  [[gnu::always_inline]] explicit Locked(const void* object) noexcept : lock_(lock_of(object)) {
    if (ompt::is_watched()) [[unlikely]]
      take_told(lock_, __builtin_return_address(0), VICINO_FRAME());
    else
      region::take(lock_);
  }
  [[gnu::always_inline]] ~Locked() {
    if (ompt::is_watched()) [[unlikely]]
      release_told(lock_, __builtin_return_address(0), VICINO_FRAME());
    else
      lock_.release();
  }
  Locked(const Locked&) = delete;

 private:
  region::GlobalLock& lock_;
};

// An aligned object of 1, 2, 4 or 8 bytes can be changed in one instruction.
template <class T>
bool is_aligned(const T* object) noexcept {
  return reinterpret_cast<uintptr_t>(object) % sizeof(T) == 0;
}

// An unsigned integer of 1, 2, 4 or 8 bytes.
template <size_t kBytes>
using Word = std::conditional_t<
    kBytes == 1, uint8_t,
    std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

// What an object was before and is after.
template <class T>
struct Change {
  T before, after;
};

// Replaces the object by make(object), as one operation.
template <class T, class Make>
[[gnu::always_inline]] inline Change<T> change(T* object, Make make) noexcept {
  if constexpr (sizeof(T) <= 8)
    if (is_aligned(object)) {
      using Bits = Word<sizeof(T)>;
      auto* const word = reinterpret_cast<Bits*>(object);
      Bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
      for (;;) {
        const T before = std::bit_cast<T>(seen);
        const T after = make(before);
        if (__atomic_compare_exchange_n(word, &seen, std::bit_cast<Bits>(after), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
          return {before, after};
      }
    }
  const Locked locked(object);
  const T before = *object;
  return {before, *object = make(before)};
}

template <class Op, class T, class Rhs>
[[gnu::always_inline]] inline Change<T> update(T* object, Rhs rhs) noexcept {
  return change(object, [rhs](T now) { return static_cast<T>(Op::apply(now, rhs)); });
}
// `flag`: the value after the update is captured, not the one before it.
template <class Op, class T, class Rhs>
[[gnu::always_inline]] inline T capture(T* object, Rhs rhs, int flag) noexcept {
  const Change<T> change = update<Op>(object, rhs);
  return flag != 0 ? change.after : change.before;
}
template <class T>
[[gnu::always_inline]] inline T read(T* object) noexcept {
  if constexpr (sizeof(T) <= 8)
    if (is_aligned(object)) {
      auto* const word = reinterpret_cast<Word<sizeof(T)>*>(object);
      return std::bit_cast<T>(__atomic_load_n(word, __ATOMIC_SEQ_CST));
    }
  const Locked locked(object);
  return *object;
}
template <class T>
[[gnu::always_inline]] inline T swap(T* object, T value) noexcept {
  return change(object, [value](T) { return value; }).before;
}

// x = x == expected ? desired : x; returns what x was.
template <class T>
[[gnu::always_inline]] inline T compare_and_swap(T* object, T expected, T desired) noexcept {
  return change(object, [=](T now) { return now == expected ? desired : now; }).before;
}
template <class T>
[[gnu::always_inline]] inline bool compare_and_swap_bool(T* object, T expected, T desired,
                                                         T* captured = nullptr) noexcept {
  const T before = compare_and_swap(object, expected, desired);
  if (before != expected && captured != nullptr) *captured = before;
  return before == expected;
}
template <class T>
[[gnu::always_inline]] inline T compare_and_swap_value(T* object, T expected, T desired,
                                                       T* captured) noexcept {
  const T before = compare_and_swap(object, expected, desired);
  *captured = before == expected ? desired : before;
  return before;
}

// The operation is the compiler's own function: operate(out, object, rhs).
using Operation = void(void* out, void* object, void* rhs);

template <size_t kBytes>
[[gnu::always_inline]] inline void update_by(void* object, void* rhs, Operation* operate) noexcept {
  if constexpr (kBytes <= 8) {
    using Bits = Word<kBytes>;
    change(static_cast<Bits*>(object), [=](Bits now) {
      Bits after;
      operate(&after, &now, rhs);
      return after;
    });
  } else {
    const Locked locked(object);
    operate(object, object, rhs);
  }
}

}  // namespace vicino::kmpc
