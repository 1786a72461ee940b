// Index types of 8 to 64 bits, signed and unsigned, counted up and down, through every function by
// which a schedule enters the runtime, with bounds at the ends of the type.
// test: uses threads=1,2,4,7,16
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
// test: variant counted VICINO_STATS=true
#include <omp.h>

#include <cstdint>
#include <limits>

#include "compiler_faults.hpp"
#include "walk.hpp"

// The four forms of a canonical loop, under one schedule.
#define KERNEL(name, clause)                                                  \
  template <class T>                                                          \
  void name(const Walk<T>& walk) {                                            \
    const T from = walk.from, to = walk.to, step = walk.step;                 \
    Tally<T> tally(walk);                                                     \
    if (walk.up && !walk.inclusive) {                                         \
      OMP(parallel for clause) for (T i = from; i < to; i += step) tally(i);  \
    } else if (walk.up) {                                                     \
      OMP(parallel for clause) for (T i = from; i <= to; i += step) tally(i); \
    } else if (!walk.inclusive) {                                             \
      OMP(parallel for clause) for (T i = from; i > to; i -= step) tally(i);  \
    } else {                                                                  \
      OMP(parallel for clause) for (T i = from; i >= to; i -= step) tally(i); \
    }                                                                         \
    tally.check(__FILE__, __LINE__);                                          \
  }

KERNEL(with_static, schedule(static))
KERNEL(with_static_3, schedule(static, 3))
KERNEL(with_dynamic, schedule(dynamic, 2))
KERNEL(with_guided, schedule(guided))
KERNEL(with_runtime, schedule(runtime))
KERNEL(with_monotonic, schedule(monotonic : dynamic))

template <class T>
void every_schedule(const Walk<T>& walk) {
  with_static(walk);
  if (kCountsChunks<T>) with_static_3(walk);
  if (!walk.up && !kCountsDown<T>) return;
  with_dynamic(walk);
  with_guided(walk);
  with_runtime(walk);
  with_monotonic(walk);
}

// Runs both directions between two values, and no iterations when the bounds are the wrong way
// round.
template <class T>
void between(T low, T high, T step) {
  for (bool inclusive : {false, true}) {
    every_schedule<T>({low, high, step, true, inclusive});
    every_schedule<T>({high, low, step, false, inclusive});
    if (low < high) {
      every_schedule<T>({high, low, step, true, inclusive});
      every_schedule<T>({low, high, step, false, inclusive});
    }
  }
}

// One step beyond the last iteration still fits the type, as the standard demands.
template <class T>
void near_the_ends() {
  const T min = std::numeric_limits<T>::min(), max = std::numeric_limits<T>::max();
  between<T>(T(min + 3), T(min + 103), 3);
  between<T>(T(max - 103), T(max - 3), 3);
  every_schedule<T>({T(max - 50), max, 1, true, false});
  every_schedule<T>({T(min + 50), min, 1, false, false});
  const T far = T(max / 8), step = T(max / 16);
  between<T>(1 + step, T(max - far), step);
  if (std::numeric_limits<T>::is_signed) between<T>(T(min + far), T(-step), step);
}

template <class T>
void type() {
  between<T>(1, 1, 1);
  between<T>(5, 6, 1);
  between<T>(1, 100, 1);
  between<T>(3, 120, 7);
  between<T>(40, 60, 30);
  if (std::numeric_limits<T>::is_signed) {
    between<T>(T(-60), 60, 1);
    between<T>(T(-100), T(-3), 9);
  }
  near_the_ends<T>();
}

int main() {
  omp_set_schedule(omp_sched_dynamic, 3);
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
