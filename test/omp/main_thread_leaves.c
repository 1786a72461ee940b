// The thread that ran main ends. Another thread goes on with regions and ends the program.
// test: exit 5
// test: unsanitized thread gcc-12's library for it aborts when the main thread is joined
// test: unsanitized address what dlerror() keeps for the main thread is a leak to it when that thread has ended
#include "leave_main.h"

static void other(void) {
  for (int round = 0; round < 20; ++round) {
    int count = 0;
#pragma omp parallel reduction(+ : count)
    ++count;
    CHECK_EQ(count, omp_get_max_threads());
  }
  exit(check_result() ? 1 : 5);
}

int main(void) {
  static void (*after)(void) = other;
  leave_main(&after);
}
