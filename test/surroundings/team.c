// Runs regions of the sizes given as arguments, 0 for the default, and prints the size that each
// had. All constructs must work whatever the size is.
#include <omp.h>

#include "../omp/check.h"

enum { kIterations = 500 };

static int region(int asked) {
  static unsigned char seen[kIterations];
  int size = 0, singles = 0;
  long sum = 0;
#pragma omp parallel num_threads(asked) reduction(+ : sum)
  {
#pragma omp single
    ++singles;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < kIterations; ++i) hit(seen, i), sum += i;
#pragma omp for schedule(static, 1)
    for (int i = 0; i < omp_get_num_threads(); ++i) CHECK_EQ(i, omp_get_thread_num());
#pragma omp atomic
    ++size;
#pragma omp barrier
    CHECK_EQ(size, omp_get_num_threads());
  }
  CHECK_EQ(singles, 1);
  CHECK_EQ(sum, kIterations * (kIterations - 1) / 2);
  CHECK_EACH_ONCE(seen, kIterations);
  return size;
}

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    int asked = atoi(words[i]);
    printf("%d ", region(asked ? asked : omp_get_max_threads()));
  }
  puts("");
  return check_result();
}
