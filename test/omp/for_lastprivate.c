// lastprivate takes the value of the sequentially last iteration, whichever thread ran it.
// test: peer clang-19 libomp-19 loses the last iteration of a dynamic loop whose chunks it steals
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
#include <omp.h>

#include "check.h"

typedef struct {
  int number;
  char text[20];
} Record;

#define LAST(name, clause)                                             \
  static void name(int trip) {                                         \
    int number = -1;                                                   \
    double array[3] = {0, 0, 0};                                       \
    Record record = {-1, ""};                                          \
    OMP(parallel for lastprivate(number, array, record) clause)        \
    for (int i = 0; i < trip; ++i) {                                   \
      number = i;                                                      \
      array[0] = array[2] = i;                                         \
      record.number = i;                                               \
      snprintf(record.text, sizeof record.text, "%d", i);              \
    }                                                                  \
    if (trip == 0) return;                                             \
    CHECK_EQ(number, trip - 1);                                        \
    CHECK(array[0] == trip - 1 && array[2] == trip - 1);               \
    CHECK(record.number == trip - 1 && atoi(record.text) == trip - 1); \
  }
LAST(last_static, schedule(static))
LAST(last_chunked, schedule(static, 3))
LAST(last_dynamic, schedule(dynamic))
LAST(last_dynamic_4, schedule(dynamic, 4))
LAST(last_guided, schedule(guided))
LAST(last_auto, schedule(auto))
LAST(last_runtime, schedule(runtime))

static void first_and_last(void) {
  int x = 100;
#pragma omp parallel for firstprivate(x) lastprivate(x) schedule(dynamic, 1)
  for (int i = 0; i < 64; ++i)
    if (i == 63) x = 7;
  CHECK_EQ(x, 7);
}

static void loop_variable(void) {
  long i;
#pragma omp parallel for lastprivate(i) schedule(dynamic, 3)
  for (i = 50; i > -20; i -= 7) {
  }
  CHECK_EQ(i, -20);
}

// In gcc's code for a static loop without iterations every thread copies an undefined value out:
// ThreadSanitizer sees a race.
#ifdef __SANITIZE_THREAD__
enum { kShortest = 1 };
#else
enum { kShortest = 0 };
#endif

int main(void) {
  omp_set_schedule(omp_sched_guided, 2);
  for (int round = 0; round < 10; ++round)
    for (int trip = kShortest; trip < 200; trip = 2 * trip + 1) {
      last_static(trip);
      last_chunked(trip);
      last_dynamic(trip);
      last_dynamic_4(trip);
      last_guided(trip);
      last_auto(trip);
      last_runtime(trip);
    }
  first_and_last();
  loop_variable();
  return check_result();
}
