/* What a package of Python calls by way of OpenMP, as gcc compiles it. */
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_max_threads(void);
int omp_get_num_threads(void);

static void region(void* seen) { __atomic_store_n((int*)seen, omp_get_num_threads(), __ATOMIC_RELAXED); }

int most_threads(void) { return omp_get_max_threads(); }

int team(int threads) {
  int seen = 0;
  GOMP_parallel(region, &seen, (unsigned)threads, 0);
  return seen;
}
