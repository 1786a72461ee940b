// Regions with 0 to 40 shared variables: LLVM's ABI passes each variable as one more argument of a
// variadic call, so the runtime must pass any number of them on to the region.
#include <omp.h>

#include "check.h"

#define EACH_UP_TO_8(M) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8)
#define EACH_UP_TO_16(M) EACH_UP_TO_8(M) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16)
#define EACH_UP_TO_24(M) EACH_UP_TO_16(M) M(17) M(18) M(19) M(20) M(21) M(22) M(23) M(24)
#define EACH_UP_TO_32(M) EACH_UP_TO_24(M) M(25) M(26) M(27) M(28) M(29) M(30) M(31) M(32)
#define EACH_UP_TO_40(M) EACH_UP_TO_32(M) M(33) M(34) M(35) M(36) M(37) M(38) M(39) M(40)

#define DECLARE(i) long v##i = 1000 + i;
#define SUM_IN(i) sum += v##i * i;
#define ADD_ONE(i) OMP(atomic) v##i += 1;
#define CHECK_AFTER(i) CHECK_EQ(v##i, 1000 + i + threads);

// The sum weighs each variable by its position, so two exchanged arguments are noticed.
#define SUM_OF(n) (1000L * n * (n + 1) / 2 + (long)n * (n + 1) * (2 * n + 1) / 6)

#define REGION(n, EACH)                  \
  static void region_##n(int threads) {  \
    EACH(DECLARE)                        \
    long wrong = 0, members = 0;         \
    OMP(parallel num_threads(threads)) { \
      long sum = 0;                      \
      EACH(SUM_IN)                       \
      if (sum != SUM_OF(n)) {            \
        OMP(atomic)++ wrong;             \
      }                                  \
      OMP(barrier)                       \
      EACH(ADD_ONE)                      \
      OMP(atomic)++ members;             \
    }                                    \
    EACH(CHECK_AFTER)                    \
    CHECK_EQ(wrong, 0);                  \
    CHECK_EQ(members, threads);          \
  }

#define EACH_UP_TO_1(M) M(1)
#define EACH_UP_TO_2(M) M(1) M(2)
#define EACH_UP_TO_3(M) M(1) M(2) M(3)
#define EACH_UP_TO_4(M) EACH_UP_TO_3(M) M(4)
#define EACH_UP_TO_5(M) EACH_UP_TO_4(M) M(5)
#define EACH_UP_TO_6(M) EACH_UP_TO_5(M) M(6)
#define EACH_UP_TO_7(M) EACH_UP_TO_6(M) M(7)
#define EACH_UP_TO_9(M) EACH_UP_TO_8(M) M(9)
#define EACH_UP_TO_15(M) EACH_UP_TO_9(M) M(10) M(11) M(12) M(13) M(14) M(15)
#define EACH_UP_TO_17(M) EACH_UP_TO_16(M) M(17)
#define EACH_UP_TO_39(M) EACH_UP_TO_32(M) M(33) M(34) M(35) M(36) M(37) M(38) M(39)

REGION(1, EACH_UP_TO_1)
REGION(2, EACH_UP_TO_2)
REGION(3, EACH_UP_TO_3)
REGION(4, EACH_UP_TO_4)
REGION(5, EACH_UP_TO_5)
REGION(6, EACH_UP_TO_6)
REGION(7, EACH_UP_TO_7)
REGION(8, EACH_UP_TO_8)
REGION(9, EACH_UP_TO_9)
REGION(15, EACH_UP_TO_15)
REGION(16, EACH_UP_TO_16)
REGION(17, EACH_UP_TO_17)
REGION(24, EACH_UP_TO_24)
REGION(32, EACH_UP_TO_32)
REGION(39, EACH_UP_TO_39)
REGION(40, EACH_UP_TO_40)

static int count;
static void region_0(int threads) {
  count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp atomic
  ++count;
  CHECK_EQ(count, threads);
}

typedef void (*Region)(int);
static const Region kRegions[] = {region_0,  region_1,  region_2,  region_3,  region_4,  region_5,
                                  region_6,  region_7,  region_8,  region_9,  region_15, region_16,
                                  region_17, region_24, region_32, region_39, region_40};

int main(void) {
  int most = omp_get_max_threads();
  for (unsigned i = 0; i < sizeof kRegions / sizeof *kRegions; ++i) {
    kRegions[i](1);
    kRegions[i](most);
  }
  return check_result();
}
