// marked.c: a program with one region to count: it reads 1 MiB, a line at a time, and says so.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lab/mark.h"

enum { kBytes = 1 << 20, kLine = 64 };

int main(void) {
  volatile char* bytes = aligned_alloc(4096, kBytes);
  if (bytes == NULL) return 1;
  memset((char*)bytes, 1, kBytes);
  int sum = 0;
  LAB_REGION(3);
  LAB_START();
  for (int i = 0; i < kBytes; i += kLine) sum += bytes[i];
  LAB_STOP();
  printf("%d lines\n", sum);
  return 7;
}
