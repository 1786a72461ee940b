// marked.c: a program with one region to count: it reads 1 MiB, a line at a time, over and over,
// and says so. It takes long enough for timer interrupts to fall into the region, where a guest
// whose clock is the host's has another number of them each time.
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
