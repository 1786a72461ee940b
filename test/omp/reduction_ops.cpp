// Every reduction operator on every arithmetic type, on parallel and on loops.
// test: uses -latomic
#include <omp.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "check.h"

enum { kTrip = 100 };

template <class T>
void arithmetic() {
  T sum = 5, difference = 7, product = 2;
#pragma omp parallel for reduction(+ : sum) reduction(* : product)
  for (int i = 0; i < kTrip; ++i) {
    sum = T(sum + i % 3);
    if (i % 25 == 0) product = T(product * 2);
  }
#pragma omp parallel for reduction(+ : difference) schedule(dynamic, 3)
  for (int i = 0; i < kTrip; ++i) difference = T(difference - i % 2);
  CHECK(sum == T(5 + 99));
  CHECK(product == T(32));
  CHECK(difference == T(7 - 50));
}

template <class T>
void extremes() {
  T least = 100, greatest = 20;
#pragma omp parallel for reduction(min : least) reduction(max : greatest) schedule(guided)
  for (int i = 0; i < kTrip; ++i) {
    T x = T((i * 37) % 101 + 1);
    if (x < least) least = x;
    if (x > greatest) greatest = x;
  }
  CHECK(least == 1);
  CHECK(greatest == 101);
  T untouched_least = 3, untouched_greatest = 4;
#pragma omp parallel reduction(min : untouched_least) reduction(max : untouched_greatest)
  {
  }
  CHECK(untouched_least == 3 && untouched_greatest == 4);
}

template <class T>
void logical() {
  T all = 1, any = 0, not_all = 1;
#pragma omp parallel for reduction(&& : all, not_all) reduction(|| : any)
  for (int i = 0; i < kTrip; ++i) {
    all = all && i >= 0;
    not_all = not_all && i != 73;
    any = any || i == 73;
  }
  CHECK(all && any && !not_all);
}

template <class T>
void bitwise() {
  T with_and = T(~T(0)), with_or = 0, with_xor = 1;
#pragma omp parallel for reduction(& : with_and) reduction(| : with_or) reduction(^ : with_xor)
  for (int i = 0; i < 64; ++i) {
    with_and &= T(~(T(1) << (i % 4)));
    with_or |= T(1) << (i % 5);
    with_xor ^= T(i);
  }
  CHECK(with_and == T(~T(15)));
  CHECK(with_or == 31);
  CHECK(with_xor == 1);
}

template <class T>
void type() {
  arithmetic<T>();
  extremes<T>();
  logical<T>();
  if constexpr (std::is_integral_v<T>) bitwise<T>();
}

int main() {
  type<int8_t>();
  type<uint8_t>();
  type<int16_t>();
  type<uint16_t>();
  type<int32_t>();
  type<uint32_t>();
  type<int64_t>();
  type<uint64_t>();
  type<float>();
  type<double>();
  type<long double>();
  return check_result();
}
