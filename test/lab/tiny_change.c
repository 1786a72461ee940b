// Tasks that were tiny and become long: where kinds of them come in turns, where a tiny task makes a long one, where
// each task makes the next ones; in the region in which they were tiny and in a new one. Prints a line for each: how
// many long tasks each of two threads ran.
#include <omp.h>
#include <stdio.h>

#include "../../lab/mark.h"

enum { kTiny = 20000, kLong = 200 };

static int is_long;
static int ran_by[2];

static void body(void) {
  if (!is_long) return;
  __atomic_fetch_add(&ran_by[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
  const double end = omp_get_wtime() + 100e-6;
  while (omp_get_wtime() < end) {
  }
}

static void in_turns(int count) {
  for (int i = 0; i < count; i += 2) {
#pragma omp task
    body();
#pragma omp task
    body();
  }
}

static void by_tiny_ones(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    {
#pragma omp task
      body();
    }
  }
}

static void in_tree(int count) {
  if (count <= 1) return body();
#pragma omp task
  in_tree(count / 2);
#pragma omp task
  in_tree(count - count / 2);
}

static void share(void (*generate)(int), int count) {
#pragma omp taskgroup
  generate(count);
}

static void in_the_same_region(void (*generate)(int)) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    share(generate, kTiny);
    is_long = 1;
    share(generate, kLong);
  }
}

static void in_a_new_region(void (*generate)(int)) {
  for (int i = 0; i < 200; ++i) {
    is_long = i == 199;
#pragma omp parallel num_threads(2)
#pragma omp single
    share(generate, is_long ? kLong : 64);
  }
}

static void show(const char* name, void (*run)(void (*generate)(int)), void (*generate)(int)) {
  is_long = ran_by[0] = ran_by[1] = 0;
  run(generate);
  printf("%s %d %d\n", name, ran_by[0], ran_by[1]);
}

int main(void) {
  void (*const ways[])(int) = {in_turns, by_tiny_ones, in_tree};
  const char* const names[] = {"in turns", "by tiny ones", "in a tree"};
  LAB_START();
  for (int i = 0; i < 3; ++i) {
    show(names[i], in_the_same_region, ways[i]);
    show(names[i], in_a_new_region, ways[i]);
  }
  LAB_STOP();
  return 0;
}
