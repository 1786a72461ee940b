/* Many short parallel regions, and a long one. */
static double sum[1024];

static void add(int n) {
#pragma omp parallel for
  for (int i = 0; i < 1024; ++i)
    for (int j = 0; j < n; ++j) sum[i] += 1.0 / (i + j + 1);
}

int main(void) {
  for (int t = 0; t < 1000; ++t) add(1);
#pragma omp parallel num_threads(1)
  sum[0] = 0;
  return 0;
}
