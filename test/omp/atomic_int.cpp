// atomic on every integer type: each update counts once.
#include <omp.h>

#include <cstdint>

#include "check.h"

enum { kRounds = 20000 };  // enough for threads to meet

// The operations of all threads together leave a value that does not depend on their order.
template <class T>
void updates(int threads) {
  T plus = 0, minus = 0, times = 1, bits_or = 0, bits_xor = 0, bits_and = T(~T(0)), shift = 1;
  T reversed = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < kRounds; ++i) {
#pragma omp atomic
    plus += 3;
#pragma omp atomic
    minus -= 2;
#pragma omp atomic
    times *= 3;
#pragma omp atomic
    bits_or |= T(1) << (i % 7);
#pragma omp atomic
    bits_xor ^= T(1 + i);
#pragma omp atomic
    bits_and &= T(~(T(1) << (i % 3)));
#pragma omp atomic
    reversed = T(7) - reversed;
    if (i == 0 && omp_get_thread_num() == 0) {
#pragma omp atomic
      shift <<= 3;
    }
  }
  unsigned long long power = 1;  // which has no overflow, so no compiler may assume that there is none
  T flipped = 0;
  for (int i = 0; i < kRounds * threads; ++i) power *= 3;
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < kRounds; ++i) flipped = T(flipped ^ T(1 + i));
  CHECK_EQ(plus, T(3 * kRounds * threads));
  CHECK_EQ(minus, T(-2 * kRounds * threads));
  CHECK_EQ(times, T(power));
  CHECK_EQ(bits_or, T(127));
  CHECK_EQ(bits_xor, flipped);
  CHECK_EQ(bits_and, T(~T(7)));
  CHECK_EQ(reversed, T(0));
  CHECK_EQ(shift, T(8));
}

// The captured old values are all different, so they serve as tickets.
template <class T>
void captures(int threads) {
  constexpr int kTickets = 100;
  unsigned char taken[kTickets] = {0};
  T next = 0, read = 0, last = 0;
#pragma omp parallel num_threads(threads) private(read)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < kTickets; ++i) {
    T mine;
#pragma omp atomic capture
    mine = next++;
    hit(taken, long(mine));
#pragma omp atomic read
    read = next;
    CHECK(read > mine);
#pragma omp atomic write
    last = T(i);
  }
  CHECK_EACH_ONCE(taken, kTickets);
  CHECK(last >= 0 && last < kTickets);
}

template <class T>
void type() {
  int threads = omp_get_max_threads() < 8 ? omp_get_max_threads() : 8;
  updates<T>(threads);
  captures<T>(threads);
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
  return check_result();
}
