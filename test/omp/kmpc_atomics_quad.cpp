// The entry points for atomic constructs that only the library of Intel's compilers has: real(16),
// complex(16), other objects with a right side of quad precision, and objects of any size.
// test: uses clang-19 threads=1,2,7 -O0
// test: peer clang-19 libomp 19 has no such entry points
#include "kmpc_atomics.hpp"

namespace {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Real16 = __float128;
typedef _Complex float Complex16 __attribute__((mode(TC)));
#else  // long double has the same format
using Real16 = long double;
typedef _Complex long double Complex16;
#endif

constexpr Real16 kThird = static_cast<Real16>(1) / 3;  // not exact in any other type
const Complex16 kTwist = static_cast<Complex16>(kThird) + static_cast<Complex16>(1.0i);

#define ROWS_REAL16(ROW)                                       \
  ROW(Real16, float16, add, kThird, kThird / 7, x + r)         \
  ROW(Real16, float16, sub, kThird, kThird / 7, x - r)         \
  ROW(Real16, float16, mul, kThird, kThird + 1, x * r)         \
  ROW(Real16, float16, div, kThird, kThird + 1, x / r)         \
  ROW(Real16, float16, min, kThird, kThird / 7, r < x ? r : x) \
  ROW(Real16, float16, max, kThird, kThird * 7, x < r ? r : x)
#define ROWS_REAL16_REVERSED(ROW)                  \
  ROW(Real16, float16, sub, kThird, kThird, r - x) \
  ROW(Real16, float16, div, kThird, kThird + 1, r / x)
#define ROWS_COMPLEX16(ROW)                           \
  ROW(Complex16, cmplx16, add, kThird, kTwist, x + r) \
  ROW(Complex16, cmplx16, sub, kThird, kTwist, x - r) \
  ROW(Complex16, cmplx16, mul, kThird, kTwist, x* r)  \
  ROW(Complex16, cmplx16, div, kThird, kTwist, x / r)
#define ROWS_COMPLEX16_REVERSED(ROW)                  \
  ROW(Complex16, cmplx16, sub, kThird, kTwist, r - x) \
  ROW(Complex16, cmplx16, div, kThird, kTwist, r / x)

ROWS_REAL16(DECLARE_ROW)
ROWS_REAL16_REVERSED(DECLARE_REVERSED)
ROWS_COMPLEX16(DECLARE_ROW)
ROWS_COMPLEX16_REVERSED(DECLARE_REVERSED)
DECLARE_ACCESS(Real16, float16)
DECLARE_ACCESS(Complex16, cmplx16)

// The other objects. A start that needs all bits of its type shows in which precision the result
// was computed.
#define EACH_SMALL(DO)      \
  DO(int8_t, fixed1, 100)   \
  DO(uint8_t, fixed1u, 100) \
  DO(int16_t, fixed2, 100)  \
  DO(uint16_t, fixed2u, 100)
#define EACH_WIDE(DO)                  \
  DO(int32_t, fixed4, 1 << 30)         \
  DO(uint32_t, fixed4u, 3u << 30)      \
  DO(int64_t, fixed8, (1LL << 62) + 1) \
  DO(uint64_t, fixed8u, (1ULL << 63) + 1)
#define EACH_REAL(DO)        \
  DO(float, float4, kThird)  \
  DO(double, float8, kThird) \
  DO(long double, float10, kThird)
#define EACH_OTHER(DO) EACH_SMALL(DO) EACH_WIDE(DO) EACH_REAL(DO)

#define ROWS_OTHER(ROW, T, name, start)  \
  ROW(T, name, add, start, 1.25, x + r)  \
  ROW(T, name, sub, start, 1.25, x - r)  \
  ROW(T, name, mul, start, kThird, x* r) \
  ROW(T, name, div, start, kThird * 4, x / r)
#define ROWS_OTHER_REVERSED(ROW, T, name, start)               \
  ROW(T, name, sub, start, (Real16)(T)(start) + kThird, r - x) \
  ROW(T, name, div, 7, kThird * 100, r / x)

#define DECLARE_OTHER_ROW(T, name, op, ...)   \
  DECLARE(void, name##_##op##_fp, T*, Real16) \
  DECLARE(T, name##_##op##_cpt_fp, T*, Real16, int)
#define DECLARE_OTHER_REVERSED(T, name, op, ...)  \
  DECLARE(void, name##_##op##_rev_fp, T*, Real16) \
  DECLARE(T, name##_##op##_cpt_rev_fp, T*, Real16, int)
#define TEST_OTHER_ROW(T, name, op, start, right, expression)        \
  TEST_UPDATE(T, Real16, name##_##op##_fp, start, right, expression) \
  TEST_CAPTURE(T, Real16, name##_##op##_cpt_fp, start, right, expression)
#define TEST_OTHER_REVERSED(T, name, op, start, right, expression)       \
  TEST_UPDATE(T, Real16, name##_##op##_rev_fp, start, right, expression) \
  TEST_CAPTURE(T, Real16, name##_##op##_cpt_rev_fp, start, right, expression)
#define DECLARE_OTHER(T, name, start)           \
  ROWS_OTHER(DECLARE_OTHER_ROW, T, name, start) \
  ROWS_OTHER_REVERSED(DECLARE_OTHER_REVERSED, T, name, start)
#define TEST_OTHER(T, name, start)           \
  ROWS_OTHER(TEST_OTHER_ROW, T, name, start) \
  ROWS_OTHER_REVERSED(TEST_OTHER_REVERSED, T, name, start)
EACH_OTHER(DECLARE_OTHER)

// Threads that do nothing else meet often.
void check_sums() {
  constexpr int kOften = 5000;
  Real16 real = 0;
  Complex16 complex = 0;
  int64_t integer = 0;
#pragma omp parallel
  for (int i = 0; i < kOften; ++i) {
    __kmpc_atomic_float16_add(nullptr, gtid(), &real, 1);
    __kmpc_atomic_cmplx16_add(nullptr, gtid(), &complex, static_cast<Complex16>(1.0 + 2.0i));
    __kmpc_atomic_fixed8_add_fp(nullptr, gtid(), &integer, static_cast<Real16>(1.5));
  }
  CHECK_EQ(real, kOften * threads());
  CHECK_EQ(__real__ complex, kOften * threads());
  CHECK_EQ(__imag__ complex, 2 * kOften * threads());
  CHECK_EQ(integer, kOften * threads());
}

extern "C" [[gnu::weak]] void __kmpc___atomic_load_n(size_t, const void*, void*, int);
extern "C" [[gnu::weak]] void __kmpc___atomic_store_n(size_t, void*, const void*, int);
extern "C" [[gnu::weak]] bool __kmpc___atomic_compare_exchange_n(size_t, void*, void* expected,
                                                                 const void* desired, bool weak,
                                                                 int success, int failure);

// All bytes of an object have one value, and the threads add to it.
template <size_t kBytes>
void check_bytes() {
  struct Bytes {
    unsigned char of[kBytes];
  };
  const auto all = [](int value) {
    Bytes bytes;
    memset(bytes.of, value, kBytes);
    return bytes;
  };
  const auto is_torn = [](const Bytes& bytes) {
    for (const unsigned char byte : bytes.of)
      if (byte != bytes.of[0]) return true;
    return false;
  };
  constexpr int kOrder = __ATOMIC_SEQ_CST, kOften = 300;
  alignas(16) Bytes counted = all(0), stored = all(0);
  int torn = 0;
#pragma omp parallel reduction(+ : torn)
  for (int i = 0; i < kOften; ++i) {
    Bytes seen, next = all(i);
    __kmpc___atomic_store_n(kBytes, &stored, &next, kOrder);
    __kmpc___atomic_load_n(kBytes, &stored, &seen, kOrder);
    torn += is_torn(seen);
    __kmpc___atomic_load_n(kBytes, &counted, &seen, kOrder);
    do {
      torn += is_torn(seen);
      next = all(seen.of[0] + 1);
    } while (!__kmpc___atomic_compare_exchange_n(kBytes, &counted, &seen, &next, i % 2 == 0, kOrder,
                                                 kOrder));
  }
  CHECK_EQ(torn, 0);
  CHECK(!is_torn(counted));
  CHECK_EQ(counted.of[0], static_cast<unsigned char>(kOften * threads()));
}

}  // namespace

int main() {
  ROWS_REAL16(TEST_ROW)
  ROWS_REAL16_REVERSED(TEST_REVERSED)
  ROWS_COMPLEX16(TEST_ROW)
  ROWS_COMPLEX16_REVERSED(TEST_REVERSED)
  TEST_ACCESS(Real16, float16)
  TEST_ACCESS(Complex16, cmplx16)
  EACH_OTHER(TEST_OTHER)
  check_sums();
  check_bytes<1>();
  check_bytes<2>();
  check_bytes<3>();
  check_bytes<4>();
  check_bytes<8>();
  check_bytes<16>();
  check_bytes<24>();
  check_bytes<32>();
  return check_result();
}
