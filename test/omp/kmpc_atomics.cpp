// LLVM's entry points for atomic constructs (kmpc_atomics.hpp).
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7 -O0
#include "kmpc_atomics.hpp"

namespace {

#define TEST_CAPTURE_OUT(T, R, type_op, start, right, expression)        \
  check_capture(                                                         \
      #type_op, static_cast<T>(start),                                   \
      [](T* object, int flag) -> T {                                     \
        T out;                                                           \
        ENTRY(type_op)(nullptr, gtid(), object, (R)(right), &out, flag); \
        return out;                                                      \
      },                                                                 \
      [](T x) {                                                          \
        [[maybe_unused]] const R r = (R)(right);                         \
        return static_cast<T>(expression);                               \
      });

// ROW(type, name, operation, start, right side, expression): an update and its capture.
#define ROWS_FIXED(ROW, T, name)            \
  ROW(T, name, add, 1, 5, x + r)            \
  ROW(T, name, sub, 1, 5, x - r)            \
  ROW(T, name, mul, 1, 5, x*(uint64_t)r)    \
  ROW(T, name, div, 101, 2, x / r)          \
  ROW(T, name, andb, 0x5f, 0x3b, x& r)      \
  ROW(T, name, orb, 0x11, 0x42, x | r)      \
  ROW(T, name, xor, 0x11, 0x42, x ^ r)      \
  ROW(T, name, neqv, 0x13, 0x42, x ^ r)     \
  ROW(T, name, eqv, 0x13, 0x42, ~(x ^ r))   \
  ROW(T, name, andl, 6, 3, x&& r)           \
  ROW(T, name, orl, 0, 9, x || r)           \
  ROW(T, name, shl, 3, 1, (uint64_t)x << r) \
  ROW(T, name, shr, -100, 1, x >> r)        \
  ROW(T, name, min, 50, 7, r < x ? r : x)   \
  ROW(T, name, max, -5, 7, x < r ? r : x)
#define ROWS_FIXED_REVERSED(ROW, T, name) \
  ROW(T, name, sub, 3, 100, r - x)        \
  ROW(T, name, div, 3, 100, r / x)        \
  ROW(T, name, shr, 0, 3, r >> x)
#define ROWS_UNSIGNED(ROW, T, name) \
  ROW(T, name, div, 251, 2, x / r)  \
  ROW(T, name, shr, -1, 1, x >> r)
#define ROWS_UNSIGNED_REVERSED(ROW, T, name) \
  ROW(T, name, div, 3, 200, r / x)           \
  ROW(T, name, shr, 0, 3, r >> x)
#define ROWS_FLOAT(ROW, T, name)              \
  ROW(T, name, add, 1, 1.5, x + r)            \
  ROW(T, name, sub, 1, 1.5, x - r)            \
  ROW(T, name, mul, 1, 1.25, x* r)            \
  ROW(T, name, div, 1, 1.25, x / r)           \
  ROW(T, name, min, 9.5, 2.25, r < x ? r : x) \
  ROW(T, name, max, 9.5, 12.25, x < r ? r : x)
#define ROWS_FLOAT_REVERSED(ROW, T, name) \
  ROW(T, name, sub, 1, 2.5, r - x)        \
  ROW(T, name, div, 4, 2.5, r / x)

#define DECLARE_ROW_OUT(T, name, op, ...) \
  DECLARE(void, name##_##op, T*, T)       \
  DECLARE(void, name##_##op##_cpt, T*, T, T*, int)
#define DECLARE_REVERSED_OUT(T, name, op, ...) \
  DECLARE(void, name##_##op##_rev, T*, T)      \
  DECLARE(void, name##_##op##_cpt_rev, T*, T, T*, int)
#define TEST_ROW_OUT(T, name, op, start, right, expression) \
  TEST_UPDATE(T, T, name##_##op, start, right, expression)  \
  TEST_CAPTURE_OUT(T, T, name##_##op##_cpt, start, right, expression)
#define TEST_REVERSED_OUT(T, name, op, start, right, expression) \
  TEST_UPDATE(T, T, name##_##op##_rev, start, right, expression) \
  TEST_CAPTURE_OUT(T, T, name##_##op##_cpt_rev, start, right, expression)

#define EACH_FIXED(DO) \
  DO(int8_t, fixed1) DO(int16_t, fixed2) DO(int32_t, fixed4) DO(int64_t, fixed8)
#define EACH_UNSIGNED(DO) \
  DO(uint8_t, fixed1u) DO(uint16_t, fixed2u) DO(uint32_t, fixed4u) DO(uint64_t, fixed8u)
#define EACH_FLOAT(DO) DO(float, float4) DO(double, float8) DO(long double, float10)
#define EACH_COMPLEX(DO) DO(Complex8, cmplx8) DO(Complex10, cmplx10)

#define DECLARE_FIXED(T, name)                   \
  ROWS_FIXED(DECLARE_ROW, T, name)               \
  ROWS_FIXED_REVERSED(DECLARE_REVERSED, T, name) \
  DECLARE_REVERSED(T, name, shl)                 \
  DECLARE(void, name##_mul_float8, T*, double)   \
  DECLARE(void, name##_div_float8, T*, double)
#define DECLARE_UNSIGNED(T, name)     \
  ROWS_UNSIGNED(DECLARE_ROW, T, name) \
  ROWS_UNSIGNED_REVERSED(DECLARE_REVERSED, T, name)
#define DECLARE_FLOAT(T, name)     \
  ROWS_FLOAT(DECLARE_ROW, T, name) \
  ROWS_FLOAT_REVERSED(DECLARE_REVERSED, T, name)
#define DECLARE_COMPLEX(T, name)     \
  ROWS_COMPLEX(DECLARE_ROW, T, name) \
  ROWS_COMPLEX_REVERSED(DECLARE_REVERSED, T, name)
EACH_FIXED(DECLARE_FIXED)
EACH_UNSIGNED(DECLARE_UNSIGNED)
EACH_FLOAT(DECLARE_FLOAT)
EACH_COMPLEX(DECLARE_COMPLEX)
ROWS_COMPLEX(DECLARE_ROW_OUT, Complex4, cmplx4)
ROWS_COMPLEX_REVERSED(DECLARE_REVERSED_OUT, Complex4, cmplx4)

#define MIXED_FLOAT(DO)                               \
  DO(float, double, float4_add_float8, 1, 1.3, x + r) \
  DO(float, double, float4_sub_float8, 1, 1.3, x - r) \
  DO(float, double, float4_mul_float8, 1, 1.3, x* r)  \
  DO(float, double, float4_div_float8, 1, 1.3, x / r)
#define MIXED_COMPLEX(DO)                                              \
  DO(Complex4, Complex8, cmplx4_add_cmplx8, 1, kStep<Complex8>, x + r) \
  DO(Complex4, Complex8, cmplx4_sub_cmplx8, 1, kStep<Complex8>, x - r) \
  DO(Complex4, Complex8, cmplx4_mul_cmplx8, 1, kStep<Complex8>, x* r)  \
  DO(Complex4, Complex8, cmplx4_div_cmplx8, 64, kStep<Complex8>, x / r)
#define DECLARE_MIXED(T, R, name, ...) DECLARE(void, name, T*, R)
MIXED_FLOAT(DECLARE_MIXED)
MIXED_COMPLEX(DECLARE_MIXED)

// Reads, writes and swaps.
#define EACH_ACCESSED(DO) EACH_FIXED(DO) EACH_FLOAT(DO) EACH_COMPLEX(DO)
EACH_ACCESSED(DECLARE_ACCESS)
DECLARE(Complex4, cmplx4_rd, Complex4*)
DECLARE(void, cmplx4_wr, Complex4*, Complex4)
DECLARE(void, cmplx4_swp, Complex4*, Complex4, Complex4*)

#define EACH_SIZE(DO) DO(int8_t, 1) DO(int16_t, 2) DO(int32_t, 4) DO(int64_t, 8)
#define DECLARE_COMPARE(T, bytes)                     \
  DECLARE(bool, bool_##bytes##_cas, T*, T, T)         \
  DECLARE(T, val_##bytes##_cas, T*, T, T)             \
  DECLARE(bool, bool_##bytes##_cas_cpt, T*, T, T, T*) \
  DECLARE(T, val_##bytes##_cas_cpt, T*, T, T, T*)
EACH_SIZE(DECLARE_COMPARE)

// Each thread counts up by one, by each of the four functions in turn.
template <class T, class Bool, class Value, class BoolCapture, class ValueCapture>
void check_compare(Bool compare, Value compare_value, BoolCapture compare_capture,
                   ValueCapture compare_value_capture) {
  T count = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 40; ++i) {
      T seen = 0, captured;
      bool done = false;
      while (!done) {
        const T next = static_cast<T>(seen + 1);
        switch (i % 4) {
          case 0:
            done = compare(&count, seen, next);
            if (!done) __atomic_load(&count, &seen, __ATOMIC_RELAXED);
            break;
          case 1:
            captured = compare_value(&count, seen, next);
            done = captured == seen;
            seen = captured;
            break;
          case 2:
            captured = 99;
            done = compare_capture(&count, seen, next, &captured);
            if (done) CHECK_EQ(captured, 99);
            if (!done) seen = captured;
            break;
          default: {
            const T before = compare_value_capture(&count, seen, next, &captured);
            done = before == seen;
            CHECK_EQ(captured, done ? next : before);
            seen = captured;
          }
        }
      }
    }
  }
  CHECK_EQ(count, static_cast<T>(40 * threads()));
}
#define TEST_COMPARE(T, bytes)                                                            \
  check_compare<T>(                                                                       \
      [](T* x, T e, T d) { return ENTRY(bool_##bytes##_cas)(nullptr, gtid(), x, e, d); }, \
      [](T* x, T e, T d) { return ENTRY(val_##bytes##_cas)(nullptr, gtid(), x, e, d); },  \
      [](T* x, T e, T d, T* v) {                                                          \
        return ENTRY(bool_##bytes##_cas_cpt)(nullptr, gtid(), x, e, d, v);                \
      },                                                                                  \
      [](T* x, T e, T d, T* v) {                                                          \
        return ENTRY(val_##bytes##_cas_cpt)(nullptr, gtid(), x, e, d, v);                 \
      });

// The compiler's own function: every byte counts by itself. It may get one object twice.
using Operation = void(void*, void*, void*);
template <int kBytes>
void add_bytes(void* out, void* object, void* rhs) {
  for (int i = 0; i < kBytes; ++i)
    static_cast<unsigned char*>(out)[i] = static_cast<unsigned char>(
        static_cast<unsigned char*>(object)[i] + static_cast<unsigned char*>(rhs)[i]);
}
#define EACH_GENERIC(DO) DO(1) DO(2) DO(4) DO(8) DO(10) DO(16) DO(20) DO(32)
#define DECLARE_GENERIC(bytes) DECLARE(void, bytes, void*, void*, Operation*)
EACH_GENERIC(DECLARE_GENERIC)
#define TEST_GENERIC(bytes)                                                \
  {                                                                        \
    alignas(16) unsigned char object[bytes] = {}, rhs[bytes];              \
    for (int i = 0; i < bytes; ++i) rhs[i] = (unsigned char)(2 * i + 1);   \
    _Pragma("omp parallel") for (int i = 0; i < 100; ++i)                  \
        ENTRY(bytes)(nullptr, gtid(), object, rhs, add_bytes<bytes>);      \
    for (int i = 0; i < bytes; ++i)                                        \
      CHECK_EQ(object[i], (unsigned char)(100 * threads() * (2 * i + 1))); \
  }

extern "C" void __kmpc_atomic_start();
extern "C" void __kmpc_atomic_end();

// Shifting by the last result again and again would soon shift too far.
template <class T, class Apply, class Capture>
void check_shift_once(Apply apply, Capture capture) {
  T objects[300];
  for (T& object : objects) object = 3;
#pragma omp parallel for
  for (int i = 0; i < 300; ++i) {
    if (i % 3 == 0)
      apply(&objects[i]);
    else
      CHECK_EQ(capture(&objects[i], i % 3 - 1), i % 3 == 1 ? 3 : 40);
  }
  for (const T& object : objects) CHECK_EQ(object, 40);
}
#define TEST_SHIFT_REVERSED(T, name)                                                        \
  check_shift_once<T>([](T* object) { ENTRY(name##_shl_rev)(nullptr, gtid(), object, 5); }, \
                      [](T* object, int flag) {                                             \
                        return ENTRY(name##_shl_cpt_rev)(nullptr, gtid(), object, 5, flag); \
                      });

#define TEST_FIXED(T, name)                                \
  TEST_SHIFT_REVERSED(T, name)                             \
  ROWS_FIXED(TEST_ROW, T, name)                            \
  ROWS_FIXED_REVERSED(TEST_REVERSED, T, name)              \
  TEST_UPDATE(T, double, name##_mul_float8, 3, 0.75, x* r) \
  TEST_UPDATE(T, double, name##_div_float8, 100, 1.5, x / r)
#define TEST_UNSIGNED(T, name)     \
  ROWS_UNSIGNED(TEST_ROW, T, name) \
  ROWS_UNSIGNED_REVERSED(TEST_REVERSED, T, name)
#define TEST_FLOAT(T, name)     \
  ROWS_FLOAT(TEST_ROW, T, name) \
  ROWS_FLOAT_REVERSED(TEST_REVERSED, T, name)
#define TEST_COMPLEX(T, name)     \
  ROWS_COMPLEX(TEST_ROW, T, name) \
  ROWS_COMPLEX_REVERSED(TEST_REVERSED, T, name)

void check_updates() {
  EACH_FIXED(TEST_FIXED)
  EACH_UNSIGNED(TEST_UNSIGNED)
  EACH_FLOAT(TEST_FLOAT)
  EACH_COMPLEX(TEST_COMPLEX)
  ROWS_COMPLEX(TEST_ROW_OUT, Complex4, cmplx4)
  ROWS_COMPLEX_REVERSED(TEST_REVERSED_OUT, Complex4, cmplx4)
  MIXED_FLOAT(TEST_UPDATE)
  MIXED_COMPLEX(TEST_UPDATE)
}

void check_accesses() {
  EACH_ACCESSED(TEST_ACCESS)
  check_access<Complex4>(
      "cmplx4", [](Complex4* object) { return ENTRY(cmplx4_rd)(nullptr, gtid(), object); },
      [](Complex4* object, Complex4 value) { ENTRY(cmplx4_wr)(nullptr, gtid(), object, value); },
      [](Complex4* object, Complex4 value) {
        Complex4 out;
        ENTRY(cmplx4_swp)(nullptr, gtid(), object, value, &out);
        return out;
      });
}

}  // namespace

int main() {
  check_updates();
  check_accesses();
  EACH_SIZE(TEST_COMPARE)
  EACH_GENERIC(TEST_GENERIC)
  long plain = 0;
#pragma omp parallel
  for (int i = 0; i < 1000; ++i) {
    __kmpc_atomic_start();
    ++plain;
    __kmpc_atomic_end();
  }
  CHECK_EQ(plain, 1000L * threads());
  return check_result();
}
