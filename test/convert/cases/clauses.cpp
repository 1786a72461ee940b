// Clauses, macros and places that are refused.
#include <cstddef>
#define CLAUSES private(n)
#define NAMES n
#define LIST(x) _Pragma(#x)
#define LOOP _Pragma("omp parallel for")  // refused: macro 'LOOP'
#define FOUR 4
#define UNUSED _Pragma("omp parallel")

void clauses(double* a, int n) {
  double sum = 0;
  long x = 0;
#pragma omp parallel for ordered  // refused: ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    a[i] = i;
  }
#pragma omp parallel for linear(x : 2)  // refused: linear
  for (int i = 0; i < n; ++i) a[i] = x;
#pragma omp parallel for reduction(inscan, + : sum)  // refused: inscan
  for (int i = 0; i < n; ++i) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    a[i] = sum;
  }
#pragma omp parallel for order(concurrent)  // refused: order
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for order(unconstrained : concurrent)  // refused (taskloop): order
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for reduction(task, + : sum)  // refused (taskloop): task
  for (int i = 0; i < n; ++i) sum += i;
#pragma omp parallel for lastprivate(x)  // refused (taskloop): lastprivate
  for (int i = 0; i < n; ++i) x = i;
#pragma omp parallel for  // refused (taskloop): cancel
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0) {
#pragma omp cancel for
    }
  }
#pragma omp parallel for  // refused (taskloop): depend
  for (int i = 0; i < n; ++i) {
#pragma omp task depend(out : a[0])
    a[0] = i;
  }
  int least = n;
#pragma omp parallel for default(none) shared(least, a) firstprivate(n)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic compare
    if (least > i) {
      least = i;
    }
  }
#pragma omp parallel for collapse(2)  // refused: bounds depend
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) a[i] += j;
#pragma omp target map(a[0 : n])
#pragma omp parallel for  // refused: target
  for (int i = 0; i < n; ++i) a[i] = i;
}

void places(double* a, int n) {
#pragma omp parallel for CLAUSES  // refused: 'CLAUSES'
  for (int i = 0; i < 2; ++i) a[i] = n = i;
#pragma omp parallel for private(NAMES)  // refused: 'NAMES'
  for (int i = 0; i < 2; ++i) a[i] = n = i;
#pragma omp parallel for num_threads(FOUR) reduction(+ : a[0 : FOUR])
  for (int i = 0; i < n; ++i) a[i] += i;
  LOOP
  for (int i = 0; i < n; ++i) a[i] = i;
  LIST(omp parallel for)  // refused: macro
  for (int i = 0; i < n; ++i) a[i] = i;
  _Pragma("omp parallel for")  // refused: _Pragma
  for (int i = 0; i < n; ++i) a[i] = i;
#if 0
#pragma omp parallel for  // refused: #if
  for (int i = 0; i < n; ++i) a[i] = i;
#endif
#ifdef _OPENMP
#pragma omp parallel for
#else
#error this is an OpenMP program
#endif
  for (int i = 0; i < n; ++i) a[i] = i;
}
