// main() ends its own thread. The process ends with the last thread of the program: the runtime's do not keep it.
// test: peer clang-19 libomp-19 its threads keep the process for ever
// test: unsanitized thread gcc-12's library for it aborts when the main thread is joined
// test: unsanitized address what dlerror() keeps for the main thread is a leak to it when that thread has ended
#include <unistd.h>

#include "leave_main.h"

static void other(void) {
  usleep(10000);
#pragma omp parallel
  CHECK_EQ(omp_get_level(), 1);
  if (check_result() != 0) _exit(1);
}

int main(void) {
  static void (*after)(void) = other;
  alarm(30);
  leave_main(&after);
}
