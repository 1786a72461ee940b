/* Two loops whose iterations take unequal time, and a third whose iterations take equal time.
   vicino.toml, beside this file, gives each a schedule of its own. */
#include <stdio.h>

enum { kRows = 2000 };
static double row[kRows];

static double work(int amount) {
  double sum = 0;
  for (int i = 1; i <= amount; ++i) sum += 1.0 / i;
  return sum;
}
void fill_rows(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kRows; ++i) row[i] = work(kRows - i);
}
void grow_rows(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kRows; ++i) row[i] += work(i);
}
void settle(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kRows; ++i) row[i] /= 2;
}

int main(void) {
  fill_rows();
  grow_rows();
  settle();
  double sum = 0;
  for (int i = 0; i < kRows; ++i) sum += row[i];
  printf("%.6f\n", sum);
}
