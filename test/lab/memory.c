// memory.c: 48 MiB that one thread has filled, or each its part; all threads read it.
//
//     memory one | each
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kWords = 6 << 20 };
static double words[kWords];

int main(int count, char** arguments) {
  const int all = count > 1 && strcmp(arguments[1], "each") == 0;
  double sum = 0;
#pragma omp parallel for schedule(static) if (all)
  for (int i = 0; i < kWords; ++i) words[i] = 1;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < kWords; ++i) sum += words[i];
  return sum != kWords;
}
