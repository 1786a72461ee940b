// kmpc_atomics.hpp: how LLVM's entry points for atomic constructs are tested, each against a plain
// computation: all threads apply one operation with one right side, so the result and the captured
// values do not depend on the order.
#pragma once

#include <omp.h>

#include <cstdint>

#include "check.h"

namespace {

using Complex4 = _Complex float;
using Complex8 = _Complex double;
using Complex10 = _Complex long double;

constexpr int kTimes = 3;  // per thread and object

// Only the bytes that have a meaning, so that padding does not count.
uint64_t hash_bytes(const void* value, size_t bytes) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(value)[i]) * 1099511628211u;
  return hash;
}
template <class T>
uint64_t hash_of(T value) {
  return hash_bytes(&value, sizeof value);
}
uint64_t hash_of(long double value) { return hash_bytes(&value, 10); }
uint64_t hash_of(Complex10 value) { return hash_of(__real__ value) * 3 + hash_of(__imag__ value); }

extern "C" int __kmpc_global_thread_num(void*);
int gtid() { return __kmpc_global_thread_num(nullptr); }

int threads() { return omp_get_max_threads(); }

// Objects side by side share cache lines, and the word around small ones.
template <class T>
struct Objects {
  T before = T();
  T of[7];
  explicit Objects(T start) {
    for (T& object : of) object = start;
  }
  void check(const char* name, T want) const {
    for (const T& object : of)
      if (hash_of(object) != hash_of(want)) check_fail(name, 0, "result is wrong", 0, 0);
  }
};

template <class T, class Apply, class Plain>
void check_update(const char* name, T start, Apply apply, Plain plain) {
  Objects<T> objects(start);
#pragma omp parallel
  for (int i = 0; i < kTimes; ++i)
    for (T& object : objects.of) apply(&object);
  T want = start;
  for (int i = 0; i < kTimes * threads(); ++i) want = plain(want);
  objects.check(name, want);
}

// The sum of the hashes of all captured values is that of the plain computation's.
template <class T, class Apply, class Plain>
void check_capture(const char* name, T start, Apply apply, Plain plain) {
  for (int flag = 0; flag < 2; ++flag) {
    Objects<T> objects(start);
    uint64_t captured = 0;
#pragma omp parallel reduction(+ : captured)
    for (int i = 0; i < kTimes; ++i)
      for (T& object : objects.of) captured += hash_of(apply(&object, flag));
    T want = start;
    uint64_t expected = 0;
    for (int i = 0; i < kTimes * threads(); ++i) {
      const T before = want;
      want = plain(want);
      expected += 7 * hash_of(flag != 0 ? want : before);
    }
    objects.check(name, want);
    if (captured != expected) check_fail(name, flag, "captured values are wrong", 0, 0);
  }
}

// Weak, so that a program links where the compiler's own runtime lacks an entry point.
#define ENTRY(name) __kmpc_atomic_##name
#define DECLARE(result, name, ...) \
  extern "C" [[gnu::weak]] result ENTRY(name)(void*, int, __VA_ARGS__);

// x = x op rhs, computed in the language's own way and narrowed.
#define TEST_UPDATE(T, R, type_op, start, right, expression)                  \
  check_update(                                                               \
      #type_op, static_cast<T>(start),                                        \
      [](T* object) { ENTRY(type_op)(nullptr, gtid(), object, (R)(right)); }, \
      [](T x) {                                                               \
        [[maybe_unused]] const R r = (R)(right);                              \
        return static_cast<T>(expression);                                    \
      });
#define TEST_CAPTURE(T, R, type_op, start, right, expression)             \
  check_capture(                                                          \
      #type_op, static_cast<T>(start),                                    \
      [](T* object, int flag) -> T {                                      \
        return ENTRY(type_op)(nullptr, gtid(), object, (R)(right), flag); \
      },                                                                  \
      [](T x) {                                                           \
        [[maybe_unused]] const R r = (R)(right);                          \
        return static_cast<T>(expression);                                \
      });

#define DECLARE_ROW(T, name, op, ...) \
  DECLARE(void, name##_##op, T*, T)   \
  DECLARE(T, name##_##op##_cpt, T*, T, int)
#define DECLARE_REVERSED(T, name, op, ...) \
  DECLARE(void, name##_##op##_rev, T*, T)  \
  DECLARE(T, name##_##op##_cpt_rev, T*, T, int)
#define TEST_ROW(T, name, op, start, right, expression)    \
  TEST_UPDATE(T, T, name##_##op, start, right, expression) \
  TEST_CAPTURE(T, T, name##_##op##_cpt, start, right, expression)
#define TEST_REVERSED(T, name, op, start, right, expression)     \
  TEST_UPDATE(T, T, name##_##op##_rev, start, right, expression) \
  TEST_CAPTURE(T, T, name##_##op##_cpt_rev, start, right, expression)

template <class T>
const T kStep = static_cast<T>(1) + static_cast<T>(1.0i);

// ROW(type, name, operation, start, right side, expression): an update and its capture.
#define ROWS_COMPLEX(ROW, T, name)      \
  ROW(T, name, add, 1, kStep<T>, x + r) \
  ROW(T, name, sub, 1, kStep<T>, x - r) \
  ROW(T, name, mul, 1, kStep<T>, x* r)  \
  ROW(T, name, div, 64, kStep<T>, x / r)
#define ROWS_COMPLEX_REVERSED(ROW, T, name) \
  ROW(T, name, sub, 1, kStep<T>, r - x)     \
  ROW(T, name, div, 4, kStep<T>, r / x)

#define DECLARE_ACCESS(T, name)   \
  DECLARE(T, name##_rd, T*)       \
  DECLARE(void, name##_wr, T*, T) \
  DECLARE(T, name##_swp, T*, T)

// No value is torn, and no swapped value is lost or had twice.
template <class T, class Read, class Write, class Swap>
void check_access(const char* name, Read read, Write write, Swap swap) {
  const auto value = [](int i) { return static_cast<T>(i % 100 + 1); };
  T shared = value(0), passed = value(0);
  uint64_t in = hash_of(passed), out = 0;
  int torn = 0;
#pragma omp parallel reduction(+ : in, out, torn)
  for (int i = 0; i < 200; ++i) {
    const T mine = value(i + omp_get_thread_num());
    write(&shared, mine);
    const T seen = read(&shared);
    bool whole = false;
    for (int v = 0; v < 100; ++v) whole |= seen == value(v);
    torn += !whole;
    in += hash_of(mine);
    out += hash_of(swap(&passed, mine));
  }
  if (torn != 0) check_fail(name, 0, "values that nobody wrote", torn, 0);
  if (in != out + hash_of(passed)) check_fail(name, 0, "swapped values are wrong", 0, 0);
}
#define TEST_ACCESS(T, name)                                                        \
  check_access<T>(                                                                  \
      #name, [](T* object) { return ENTRY(name##_rd)(nullptr, gtid(), object); },   \
      [](T* object, T value) { ENTRY(name##_wr)(nullptr, gtid(), object, value); }, \
      [](T* object, T value) -> T { return ENTRY(name##_swp)(nullptr, gtid(), object, value); });

}  // namespace
