from numpy_openblas import BLAS
from program import Program

PROGRAM = Program(
    about="CHOLMOD on OpenBLAS: a sparse factorisation and a linear solve",
    debian="libsuitesparse-dev libopenblas0-openmp gcc-12",
    sizes={"side": (26, 10)},
    files={"factor.c": """
#include <cholmod.h>
#include <stdio.h>

/* The Laplacian of a cube, shifted to be positive definite. */
int main(void) {
  enum { n = @side@, all = n * n * n };
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  cholmod_triplet* entries = cholmod_allocate_triplet(all, all, 4 * all, 1, CHOLMOD_REAL, &common);
  int* row = entries->i;
  int* column = entries->j;
  double* value = entries->x;
  size_t k = 0;
  for (int i = 0; i < all; ++i) {
    const int x = i % n, y = i / n % n, z = i / n / n;
    row[k] = column[k] = i, value[k++] = 6.1;
    if (x + 1 < n) row[k] = i, column[k] = i + 1, value[k++] = -1;
    if (y + 1 < n) row[k] = i, column[k] = i + n, value[k++] = -1;
    if (z + 1 < n) row[k] = i, column[k] = i + n * n, value[k++] = -1;
  }
  entries->nnz = k;
  cholmod_sparse* matrix = cholmod_triplet_to_sparse(entries, k, &common);
  cholmod_factor* factor = cholmod_analyze(matrix, &common);
  cholmod_factorize(matrix, factor, &common);
  cholmod_dense* right = cholmod_ones(all, 1, CHOLMOD_REAL, &common);
  cholmod_dense* found = cholmod_solve(CHOLMOD_A, factor, right, &common);
  printf("%.9e %.9e %d\\n", cholmod_norm_dense(found, 1, &common), cholmod_rcond(factor, &common),
         common.status);
}
"""},
    prepare=BLAS + "\ngcc-12 -O2 -I/usr/include/suitesparse factor.c -o factor -lcholmod",
    command="./factor",
    env={"LD_LIBRARY_PATH": "@work@/blas"},
    relative=1e-8,
)
