// marked.c: a program with one region to count. It reads 1 MiB many times, a cache line at a time,
// and prints a sum. The region is long enough for timer interrupts; a guest that uses the host's
// clock has a different number of them in each run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lab/mark.h"

enum { kBytes = 1 << 20, kLine = 64, kTimes = 16 };

int main(void) {
  volatile char* bytes = aligned_alloc(4096, kBytes);
  if (bytes == NULL) return 1;
  memset((char*)bytes, 1, kBytes);
  int sum = 0;
  LAB_REGION(3);
  LAB_START();
  for (int n = 0; n < kTimes; n++)
    for (int i = 0; i < kBytes; i += kLine) sum += bytes[i];
  LAB_STOP();
  printf("%d lines\n", sum);
  return 7;
}
