// atomic compare: minimum, maximum and exchange when equal.
#include <omp.h>

#include "check.h"

int main(void) {
  int least = 1000000, greatest = -1, claimed = -1;
  double low = 1e9;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 1000; ++i) {
    int x = (i * 7919) % 1009;
    double y = x - 0.5;
#pragma omp atomic compare
    if (least > x) {
      least = x;
    }
#pragma omp atomic compare
    if (greatest < x) {
      greatest = x;
    }
#pragma omp atomic compare
    if (low > y) {
      low = y;
    }
#pragma omp atomic compare
    if (claimed == -1) {
      claimed = i;
    }
  }
  CHECK_EQ(least, 0);
  CHECK(greatest <= 1008 && greatest >= 999);
  CHECK(low == -0.5);
  CHECK(claimed >= 0 && claimed < 1000);
  return check_result();
}
