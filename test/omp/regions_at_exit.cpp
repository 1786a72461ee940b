// Regions before main and after it: in constructors, destructors and atexit handlers.
// test: exit 9
#include <omp.h>
#include <unistd.h>

#include "check.h"

static int runs;

static void region() {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  ++count;
  CHECK_EQ(count, omp_get_max_threads());
  ++runs;
}

struct Static {
  Static() { region(); }
  ~Static() {
    region();
    CHECK_EQ(runs, 4);
    if (check_result() == 0) _exit(9);  // the status shows that the destructor ran
  }
};
static Static object;

int main() {
  region();
  return atexit(region);
}
