/* reductions.c: reductions of regions, loops, sections and tasks. */
#include <limits.h>
#include <omp.h>

#include "check.h"

enum { kTrip = 1000 };

struct Sum {
  long of_values, of_squares;
};
static void add(struct Sum* to, const struct Sum* from) {
  to->of_values += from->of_values;
  to->of_squares += from->of_squares;
}
#pragma omp declare reduction(both : struct Sum : add(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct Sum){0, 0})

static void of_operators(void) {
  long sum = 7;
  double real = 0.5;
  int least = INT_MAX, most = INT_MIN, all = 1, any = 0;
  unsigned flipped = 0;
#pragma omp parallel for num_threads(kTeam) schedule(dynamic, 9) reduction(+ : sum, real) \
    reduction(min : least) reduction(max : most) reduction(&& : all) reduction(|| : any)  \
    reduction(^ : flipped)
  for (int i = 0; i < kTrip; ++i) {
    sum += i;
    real += 0.25;
    least = i - 50 < least ? i - 50 : least;
    most = i + 50 > most ? i + 50 : most;
    all = all && i != 500;
    any = any || i == 500;
    flipped ^= (unsigned)i;
  }
  check_number("sum", sum, 7 + (long)kTrip * (kTrip - 1) / 2);
  check("sum of doubles", real == 0.5 + 0.25 * kTrip, "%g where %g was expected", real,
        0.5 + 0.25 * kTrip);
  check_number("least", least, -50);
  check_number("most", most, kTrip + 49);
  check("and, or", !all && any, "and %d, or %d", all, any);
  check_number("exclusive or", flipped, 0);
}

static void of_products_and_sections(void) {
  double product = 1;
  int parts = 0;
#pragma omp parallel num_threads(kTeam) reduction(* : product)
  product *= 2;
  check("product over the team", product == 16, "%g where 16 was expected", product);
#pragma omp parallel sections num_threads(kTeam) reduction(+ : parts)
  {
#pragma omp section
    parts += 1;
#pragma omp section
    parts += 10;
#pragma omp section
    parts += 100;
  }
  check_number("sections", parts, 111);
}

static void of_arrays_and_structures(void) {
  long sums[8] = {0};
  struct Sum sum = {0, 0};
  int wrong = 0;
#pragma omp parallel for num_threads(kTeam) reduction(+ : sums[0 : 8]) reduction(both : sum)
  for (int i = 0; i < kTrip; ++i) {
    sums[i % 8] += i;
    sum.of_values += i;
    sum.of_squares += (long)i * i;
  }
  for (int k = 0; k < 8; ++k) wrong += sums[k] != 125L * k + 8L * 124 * 125 / 2;
  check("array", wrong == 0, "%d of 8 sums are wrong", wrong);
  check("declared by the program", sum.of_values == 499500 && sum.of_squares == 332833500,
        "%ld and %ld where 499500 and 332833500 were expected", sum.of_values, sum.of_squares);
}

static void of_tasks(void) {
  long group = 0, region = 0, loop = 0, scanned = 0;
  int wrong = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : group)
  for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : group)
    group += i;
  }
  check_number("taskgroup", group, 4950);
#pragma omp parallel num_threads(kTeam) reduction(task, + : region)
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : region)
    region += i;
  }
  check_number("tasks of a region", region, 4950);
#pragma omp parallel for num_threads(kTeam) schedule(dynamic, 4) reduction(task, + : loop)
  for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : loop)
    loop += i;
  }
  check_number("tasks of a loop", loop, 4950);
#pragma omp parallel for num_threads(kTeam) reduction(inscan, + : scanned)
  for (int i = 0; i < 100; ++i) {
    scanned += i;
#pragma omp scan inclusive(scanned)
    if (scanned != (long)i * (i + 1) / 2) {
#pragma omp atomic
      ++wrong;
    }
  }
  check("scan", wrong == 0 && scanned == 4950, "%d prefixes are wrong, and the sum is %ld", wrong,
        scanned);
}

void test_reductions(void) {
  of_operators();
  of_products_and_sections();
  of_arrays_and_structures();
  of_tasks();
}
