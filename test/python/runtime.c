/* What stands in for another OpenMP runtime. It has one thread, and says that a region would get 77. */
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  (void)threads;
  (void)flags;
  function(data);
}
int omp_get_max_threads(void) { return 77; }
int omp_get_num_threads(void) { return 1; }
