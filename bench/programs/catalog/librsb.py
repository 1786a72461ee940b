from program import Program

PROGRAM = Program(
    about="librsb: products of a sparse matrix and its transpose with vectors",
    debian="librsb-dev gcc-12",
    sizes={"n": (100_000, 10_000)},
    files={"products.c": """
#include <rsb.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  enum { n = @n@, each = 8, nnz = n * each };
  rsb_coo_idx_t* row = malloc(nnz * sizeof *row);
  rsb_coo_idx_t* column = malloc(nnz * sizeof *column);
  double* value = malloc(nnz * sizeof *value);
  srand(17);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < each; ++j) {  /* one from each eighth of the columns */
      row[i * each + j] = i;
      column[i * each + j] = j * (n / each) + rand() % (n / each);
      value[i * each + j] = rand() / (double)RAND_MAX - 0.4;
    }
  rsb_err_t failed = RSB_ERR_NO_ERROR;
  if (rsb_lib_init(RSB_NULL_INIT_OPTIONS) != RSB_ERR_NO_ERROR) return 1;
  struct rsb_mtx_t* matrix = rsb_mtx_alloc_from_coo_const(
      value, row, column, nnz, RSB_NUMERICAL_TYPE_DOUBLE, n, n, RSB_DEFAULT_ROW_BLOCKING,
      RSB_DEFAULT_COL_BLOCKING, RSB_FLAG_NOFLAGS, &failed);
  if (!matrix || failed != RSB_ERR_NO_ERROR) return 2;
  double* x = malloc(n * sizeof *x);
  double* y = malloc(n * sizeof *y);
  for (int i = 0; i < n; ++i) x[i] = 1.0 / (1 + i % 100), y[i] = 0;
  const double alpha = 0.1, beta = 0.5;
  for (int step = 0; step < 100; ++step) {
    failed |= rsb_spmv(RSB_TRANSPOSITION_N, &alpha, matrix, x, 1, &beta, y, 1);
    failed |= rsb_spmv(RSB_TRANSPOSITION_T, &alpha, matrix, y, 1, &beta, x, 1);
  }
  if (failed != RSB_ERR_NO_ERROR) return 3;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * (1 + i % 7);
  printf("%.9e %.9e %.9e\\n", sum, x[n / 3], y[n / 5]);
  rsb_mtx_free(matrix);
  return rsb_lib_exit(RSB_NULL_EXIT_OPTIONS) != RSB_ERR_NO_ERROR;
}
"""},
    prepare="gcc-12 -O2 products.c -o products -lrsb",
    command="./products",
    relative=1e-7,
    seconds=2,
)
