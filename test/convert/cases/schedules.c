/* Loops that say their schedule: changed with --all. */
#define CHUNK 8
void schedules(double* a, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for schedule( dynamic , CHUNK ) if (n > 1)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for if (n > 1), schedule(nonmonotonic: guided, (n > 4 ? 4 : 1))
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for simd schedule(simd: static, 8), if (parallel : n > 1)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for \
    schedule(static,     \
             2)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for schedule(guided),if(n > 1),default(none),shared(a),firstprivate(n)
  for (int i = 0; i < n; ++i) a[i] = n;
#pragma omp parallel for firstprivate(n),schedule(static),collapse(1)
  for (int i = 0; i < n; ++i) a[i] = n;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for schedule(auto) ordered  // refused: ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    a[i] = i;
  }
}
