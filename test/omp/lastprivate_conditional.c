// lastprivate(conditional): the value of the last iteration that assigns it, in the loop's order.
// test: skip clang makes wrong code for chunks and for threads without an assignment
#include "check.h"

enum { kTrip = 1000 };

#define LAST(name, clause)                                    \
  static void name(int every, int from) {                     \
    int value = -1, want = -1;                                \
    for (int i = 0; i < kTrip; ++i)                           \
      if (i % every == from) want = i;                        \
    OMP(parallel for lastprivate(conditional : value) clause) \
    for (int i = 0; i < kTrip; ++i)                           \
      if (i % every == from) value = i;                       \
    CHECK_EQ(value, want);                                    \
  }
LAST(by_default, )
LAST(with_static_3, schedule(static, 3))
LAST(with_dynamic, schedule(dynamic, 2))
LAST(with_guided, schedule(guided))
LAST(with_runtime, schedule(runtime))

static void in_sections(void) {
  int value = -1;
  OMP(parallel sections lastprivate(conditional : value)) {
    value = 1;
    OMP(section)
    value = 2;
    OMP(section) {}
  }
  CHECK_EQ(value, 2);
}

int main(void) {
  const int every[] = {1, 2, 7, 100, 999};
  for (int k = 0; k < 5; ++k)
    for (int from = 0; from < 2 && from < every[k]; ++from) {
      by_default(every[k], from);
      with_static_3(every[k], from);
      with_dynamic(every[k], from);
      with_guided(every[k], from);
      with_runtime(every[k], from);
    }
  in_sections();
  return check_result();
}
