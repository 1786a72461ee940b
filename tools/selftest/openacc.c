/* openacc.c: OpenACC, which gcc compiles for the same library. */
#include "check.h"

void test_openacc(void) {
#ifdef _OPENACC
  enum { kTrip = 100 };
  static int in[kTrip], out[kTrip];
  int wrong = 0, sum = 0;
  for (int i = 0; i < kTrip; ++i) in[i] = i;
#pragma acc data copyin(in) copyout(out)
  {
#pragma acc parallel loop
    for (int i = 0; i < kTrip; ++i) out[i] = 3 * in[i];
#pragma acc update host(out)
#pragma acc wait
  }
  for (int i = 0; i < kTrip; ++i) wrong += out[i] != 3 * i;
  check("parallel loop", wrong == 0, "%d of %d values are wrong", wrong, kTrip);
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < kTrip; ++i) sum += in[i];
  check_number("reduction", sum, kTrip * (kTrip - 1) / 2);
#endif
}
