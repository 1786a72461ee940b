/* Each form of directive that is converted, and how it may be written. */
#define N 64
#pragma omp declare simd
static double twice(double x) { return 2 * x; }
void forms(double* a, double* b, int n) {
  double sum = 0;
  int j;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = twice(b[i]);
#pragma omp parallel for simd if (n > N) num_threads(N / 32) aligned(a : 16)  // behind it
  for (int i = 0; i < n; ++i) a[i] = b[i];
	#	pragma	omp	parallel	for	reduction(+:sum)	/* tabs */
  for (int i = 0; i < n; ++i) sum += a[i];
#pragma omp parallel /* one */ for /* two
  lines */ private(j) \
    collapse(2) /* three */ // and the end
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) a[i] = b[k];
#pragma omp parallel for \
    firstprivate(sum),  \
    default(shared)
  for (int i = 0; i < n; ++i) a[i] = sum;
%:pragma omp parallel for   
  for (int i = 0; i < n; ++i) a[i] = b[i];
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = b[i];
    #pragma omp for simd reduction(max : sum)  // refused (taskloop): simd
    for (int i = 0; i < n; ++i) sum = sum < a[i] ? a[i] : sum;
    if (n > 2)
#pragma omp /* where? */ for
      for (int i = 0; i < n; ++i) b[i] = a[i];
  }
#pragma omp parallel
#pragma omp for private(j)
  for (int i = 0; i < n; ++i)
    for (j = 0; j < n; ++j) a[i] += b[j];
}

/* None of these is a loop that was asked for. */
void others(double* a, int n) {
#pragma OMP PARALLEL FOR
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp simd
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel sections
  { a[0] = 1; }
  const char* text = "#pragma omp parallel for";  // #pragma omp parallel for
  (void)text;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < n; ++i) a[i] = i;
}
