/* Three loops that leave their schedule to the runtime, for docs/reference/profiles.md. */
enum { kRows = 1000, kBins = 2000, kFew = 16 };
static double matrix[kRows][kRows], sums[kRows], few[kFew];
static long count;

/* All threads add to one variable: each addition waits for the one before. */
static void count_bins(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kBins; ++i) __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}

/* A triangle: the last rows are the longest. */
static void sum_rows(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j <= i; ++j) sums[i] += matrix[i][j];
}

/* Too short to gain anything. */
static void scale(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kFew; ++i) few[i] *= 0.5;
}

int main(void) {
  for (int step = 0; step < 1000; ++step) {
    count_bins();
    sum_rows();
    scale();
  }
  return 0;
}
