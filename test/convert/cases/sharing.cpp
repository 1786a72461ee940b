// Variables that each thread has for itself: tasks would get those of one thread.
#include <omp.h>
double table[64];
double per_thread[64];
#pragma omp threadprivate(per_thread)

void regions(double* a, double* b, int n) {
  int j;
  double t, u, w, sum = 0;
  double own[8];
#pragma omp parallel private(j, t, u, w, own) firstprivate(b) reduction(+ : sum)
  {
    double* mine = a + omp_get_thread_num();
    int k;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = table[i % 64];
#pragma omp for
    for (j = 0; j < n; ++j)
      for (k = 0; k < n; ++k) a[j] += k;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      t = a[i] + 1;
      if (t > 3) t = 3;
      a[i] = t;
    }
#pragma omp for  // refused (taskloop): 'u'
    for (int i = 0; i < n; ++i) {
      if (a[i] > 1) u = a[i];
      a[i] = u;
    }
#pragma omp for  // refused (taskloop): 'w'
    for (int i = 0; i < n; ++i) a[i] = w = w + a[i];
#pragma omp for  // refused (taskloop): 'mine'
    for (int i = 0; i < n; ++i) mine[0] += a[i];
#pragma omp for  // refused (taskloop): 'own'
    for (int i = 0; i < n; ++i) a[i] = own[0] = 1;
#pragma omp for  // refused (taskloop): 'b'
    for (int i = 0; i < n; ++i) a[i] = b[i];
#pragma omp for  // refused (taskloop): 'sum'
    for (int i = 0; i < n; ++i) sum += a[i];
#pragma omp for private(t)
    for (int i = 0; i < n; ++i) {
      if (a[i] > 1) t = 1;
      a[i] = 0;
    }
#pragma omp for firstprivate(n)
    for (int i = 0; i < 8; ++i) a[i] = n;
#pragma omp for  // refused (taskloop): read after the loop
    for (int i = 0; i < n; ++i) k = i;
    a[0] = k;
#pragma omp for
    for (int i = 0; i < n; ++i) per_thread[0] += a[i];
  }
#pragma omp parallel for private(own, t)
  for (int i = 0; i < n; ++i) {
    own[0] = t;
    a[i] = own[0];
  }
}

struct Body {
  double mass;
  void add(int n) {
#pragma omp for  // refused (taskloop): members
    for (int i = 0; i < 64; ++i) mass += table[i];
#pragma omp for  // refused (taskloop): members
    for (int i = 0; i < 64; ++i) this->mass += table[i];
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < n; ++i) mass = table[0];
  }
};

void orphan(double* a, int n) {
#pragma omp for  // refused (taskloop): 'n'
  for (int i = 0; i < n; ++i) table[0] = i;
#pragma omp for  // refused (taskloop): 'a'
  for (int i = 0; i < 64; ++i) table[i] = a[i];
#pragma omp for
  for (int i = 0; i < 64; ++i) table[i] = i;
}

void jumps(double* a, int n) {
#pragma omp parallel
  {
    int first, second;
#pragma omp for  // refused (taskloop): 'first' is private
    for (int i = 0; i < n; ++i) {
      if (i % 2) goto use;
      first = i;
    use:
      a[i] = first;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (i % 2) continue;
      second = i;
      a[i] = second;
    }
  }
}
