/* Sums of the rows of a triangle, for docs/reference/convert.md. */
void row_sums(int n, const double* rows[], double* sums) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    sums[i] = 0;
    for (int j = 0; j <= i; ++j) sums[i] += rows[i][j];
  }
}

void smooth(int n, double* from, double* to) {
#pragma omp parallel
  {
#pragma omp for nowait /* each thread goes on with its own part */
    for (int i = 0; i < n; ++i) from[i] *= 0.5;
#pragma omp for
    for (int i = 0; i < n; ++i) to[i] += from[i];
  }
}
