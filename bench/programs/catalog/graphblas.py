from program import Program

PROGRAM = Program(
    about="SuiteSparse GraphBLAS: triangles and page ranks of a random graph",
    debian="libgraphblas-dev gcc-12",
    sizes={"vertices": (60_000, 4_000)},
    files={"graph.c": """
#include <GraphBLAS.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 17;
static double uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

int main(void) {
  GrB_init(GrB_NONBLOCKING);
  const GrB_Index n = @vertices@;
  GrB_Matrix graph, upper, closed;
  GrB_Matrix_new(&graph, GrB_FP64, n, n);
  for (GrB_Index edge = 0; edge < 12 * n; ++edge) {  /* some vertices have most of the edges */
    const GrB_Index a = (GrB_Index)(n * pow(uniform(), 2)), b = (GrB_Index)(n * uniform());
    if (a == b) continue;
    GrB_Matrix_setElement_FP64(graph, 1, a, b);
    GrB_Matrix_setElement_FP64(graph, 1, b, a);
  }
  GrB_Matrix_new(&upper, GrB_FP64, n, n);
  GrB_Matrix_new(&closed, GrB_FP64, n, n);
  GrB_Matrix_select_INT64(upper, NULL, NULL, GrB_TRIU, graph, 1, NULL);
  double triangles = 0;
  GrB_mxm(closed, upper, NULL, GxB_PLUS_PAIR_FP64, upper, upper, GrB_DESC_S);
  GrB_Matrix_reduce_FP64(&triangles, NULL, GrB_PLUS_MONOID_FP64, closed, NULL);

  GrB_Vector rank, degree, share, first;
  GrB_Vector_new(&rank, GrB_FP64, n);
  GrB_Vector_new(&degree, GrB_FP64, n);
  GrB_Vector_new(&share, GrB_FP64, n);
  GrB_Vector_assign_FP64(rank, NULL, NULL, 1.0 / n, GrB_ALL, n, NULL);
  GrB_Matrix_reduce_Monoid(degree, NULL, NULL, GrB_PLUS_MONOID_FP64, graph, NULL);
  for (int step = 0; step < 60; ++step) {
    GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_DIV_FP64, rank, degree, NULL);
    GrB_Vector_assign_FP64(rank, NULL, NULL, 0.15 / n, GrB_ALL, n, NULL);
    GrB_Vector_apply_BinaryOp2nd_FP64(share, NULL, NULL, GrB_TIMES_FP64, share, 0.85, NULL);
    GrB_mxv(rank, NULL, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, graph, share, NULL);
  }
  double sum = 0, greatest = 0;
  GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, rank, NULL);
  GrB_Vector_reduce_FP64(&greatest, NULL, GrB_MAX_MONOID_FP64, rank, NULL);
  printf("%.0f %.9e %.9e\\n", triangles, sum, greatest);
}
"""},
    prepare="gcc-12 -O2 graph.c -o graph -lgraphblas -lm",
    command="./graph",
    relative=1e-8,
)
