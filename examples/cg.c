/* cg.c: conjugate gradients for Poisson's equation on a square, with mixed static and dynamic
 * loops.
 *
 *     cg [POINTS]       on each side, 1 to 20000; 150 if left out
 *
 * The whole solver is one parallel region; its loops are FORALLs over the square's rows. The
 * runtime predicts how much of each loop is static, for each loop separately, from how long the
 * threads took before. The answer is checked with b - A x itself, not with the residual that the
 * iteration has.
 *
 * To build: cc -O2 -fopenmp -c cg.c, then cc cg.o -lvicino -lm; see docs/reference/linking.md. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <vicino/forall.h>

typedef struct {
  int n;                     /* points on a side */
  double *x, *b, *r, *p, *q; /* n * n each, row by row */
  double* parts[2];          /* of sums, by thread */
} Problem;

typedef struct {
  Problem* problem;
  int tid, team;
  int sums; /* how many so far */
} Thread;

static size_t row(const Problem* s, int i) { return (size_t)i * (size_t)s->n; }

/* Row i of A times `from`: 4 on the diagonal, -1 for each neighbour, nothing outside the square. */
static void multiply_row(const Problem* s, const double* from, double* to, int i) {
  const int n = s->n;
  const double* at = from + row(s, i);
  for (int j = 0; j < n; ++j) {
    double sum = 4 * at[j];
    if (i > 0) sum -= at[j - n];
    if (i < n - 1) sum -= at[j + n];
    if (j > 0) sum -= at[j - 1];
    if (j < n - 1) sum -= at[j + 1];
    to[row(s, i) + (size_t)j] = sum;
  }
}

static double dot_row(const Problem* s, const double* a, const double* b, int i) {
  double sum = 0;
  for (size_t k = row(s, i); k < row(s, i + 1); ++k) sum += a[k] * b[k];
  return sum;
}

/* The sum of all threads' parts. One barrier is enough, since successive sums alternate between two
 * arrays. The barrier also serves the loop before it, which ends without one. */
static double sum_of(Thread* t, double part) {
  double* parts = t->problem->parts[t->sums++ % 2];
  parts[t->tid] = part;
#pragma omp barrier
  double sum = 0;
  for (int i = 0; i < t->team; ++i) sum += parts[i];
  return sum;
}

/* Sets x = 0, r = p = b; returns r r. */
static double start(Thread* t) {
  const Problem* s = t->problem;
  double part = 0;
  FORALL_BEGIN(staggered, t->tid, t->team, 0, s->n, begin, end, vicino_predict_static_fraction())
  for (int i = begin; i < end; ++i) {
    for (size_t k = row(s, i); k < row(s, i + 1); ++k) {
      s->x[k] = 0;
      s->r[k] = s->p[k] = s->b[k];
    }
    part += dot_row(s, s->r, s->r, i);
  }
  FORALL_END_NOWAIT()
  return sum_of(t, part);
}

/* Sets q = A p; returns p q. */
static double multiply(Thread* t) {
  const Problem* s = t->problem;
  double part = 0;
  FORALL_BEGIN(staggered, t->tid, t->team, 0, s->n, begin, end, vicino_predict_static_fraction())
  for (int i = begin; i < end; ++i) {
    multiply_row(s, s->p, s->q, i);
    part += dot_row(s, s->p, s->q, i);
  }
  FORALL_END_NOWAIT()
  return sum_of(t, part);
}

/* Adds alpha p to x, and -alpha q to r; returns r r. */
static double advance(Thread* t, double alpha) {
  const Problem* s = t->problem;
  double part = 0;
  FORALL_BEGIN(staggered, t->tid, t->team, 0, s->n, begin, end, vicino_predict_static_fraction())
  for (int i = begin; i < end; ++i) {
    for (size_t k = row(s, i); k < row(s, i + 1); ++k) {
      s->x[k] += alpha * s->p[k];
      s->r[k] -= alpha * s->q[k];
    }
    part += dot_row(s, s->r, s->r, i);
  }
  FORALL_END_NOWAIT()
  return sum_of(t, part);
}

/* Sets p = r + beta p. */
static void turn(Thread* t, double beta) {
  const Problem* s = t->problem;
  FORALL_BEGIN(staggered, t->tid, t->team, 0, s->n, begin, end, vicino_predict_static_fraction())
  for (int i = begin; i < end; ++i)
    for (size_t k = row(s, i); k < row(s, i + 1); ++k) s->p[k] = s->r[k] + beta * s->p[k];
  FORALL_END(staggered, t->tid, begin, end)
}

/* Every thread of a region runs this. It returns the number of steps until the residual is at most
 * `goal` times the first one, or 10 n if that was not reached. */
static int solve(Problem* s, double goal) {
  Thread t = {s, omp_get_thread_num(), omp_get_num_threads(), 0};
  double rr = start(&t);
  const double enough = goal * goal * rr;
  int steps = 0;
  for (; rr > enough && steps < 10 * s->n; ++steps) {
    const double before = rr;
    rr = advance(&t, before / multiply(&t));
    turn(&t, rr / before);
  }
  return steps;
}

/* The length of b - A x, over that of b. */
static double residual(const Problem* s) {
  double error = 0, length = 0;
  for (int i = 0; i < s->n; ++i) {
    multiply_row(s, s->x, s->q, i);
    for (size_t k = row(s, i); k < row(s, i + 1); ++k) {
      error += (s->b[k] - s->q[k]) * (s->b[k] - s->q[k]);
      length += s->b[k] * s->b[k];
    }
  }
  return sqrt(error / length);
}

static double* numbers(size_t count) {
  double* fresh = malloc(count * sizeof *fresh);
  if (fresh == NULL) {
    fprintf(stderr, "cg: no memory for %zu numbers\n", count);
    exit(1);
  }
  return fresh;
}

int main(int argc, char** argv) {
  const int most = 20000;
  char* rest = "";
  const long points = argc > 1 ? strtol(argv[1], &rest, 10) : 150;
  if (argc > 2 || *rest != '\0' || points < 1 || points > most) {
    fprintf(stderr, "cg: '%s' points; give one number, 1 to %d\n", argv[argc > 2 ? 2 : 1], most);
    return 2;
  }
  Problem s = {.n = (int)points};
  const size_t count = (size_t)s.n * (size_t)s.n;
  double** const arrays[] = {&s.x, &s.b, &s.r, &s.p, &s.q};
  for (int i = 0; i < 5; ++i) *arrays[i] = numbers(count);
  for (int i = 0; i < 2; ++i) s.parts[i] = numbers((size_t)omp_get_max_threads());
  for (size_t k = 0; k < count; ++k) s.b[k] = (double)(k * 2654435761u % 1000) / 1000;

  int steps = 0;
#pragma omp parallel
  {
    const int mine = solve(&s, 1e-9);
#pragma omp master
    steps = mine;
  }

  const double left = residual(&s);
  printf("%d steps, residual %.1e: %s\n", steps, left, left < 1e-8 ? "solved" : "not solved");
  for (int i = 0; i < 5; ++i) free(*arrays[i]);
  for (int i = 0; i < 2; ++i) free(s.parts[i]);
  return left < 1e-8 ? 0 : 1;
}
