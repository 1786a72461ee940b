// C++ exceptions thrown and caught inside regions, loops, criticals and singles on every thread.
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
#include <omp.h>

#include <stdexcept>
#include <string>

#include "check.h"

static int thrower(int i) {
  if (i % 3 == 0) throw std::runtime_error(std::to_string(i));
  return i;
}

static void in_region() {
  int caught = 0, most = omp_get_max_threads();
#pragma omp parallel reduction(+ : caught)
  {
    try {
      thrower(3 * omp_get_thread_num());
    } catch (const std::runtime_error& error) {
      caught += std::stoi(error.what()) == 3 * omp_get_thread_num();
    }
#pragma omp barrier
  }
  CHECK_EQ(caught, most);
}

static void in_loop() {
  int caught = 0, passed = 0;
#pragma omp parallel for schedule(dynamic, 5) reduction(+ : caught, passed)
  for (int i = 0; i < 300; ++i) {
    try {
      passed += thrower(i) == i;
    } catch (const std::exception&) {
#pragma omp critical
      ++caught;
    }
  }
  CHECK_EQ(caught, 100);
  CHECK_EQ(passed, 200);
}

// Inside a serialised nested region, an exception passes only the program's own frames.
static void in_nested() {
  int caught = 0;
#pragma omp parallel reduction(+ : caught)
#pragma omp parallel if (0) reduction(+ : caught)
  try {
    thrower(0);
  } catch (...) {
    ++caught;
  }
  CHECK_EQ(caught, omp_get_max_threads());
}

int main() {
  for (int round = 0; round < 10; ++round) {
    in_region();
    in_loop();
    in_nested();
  }
  return check_result();
}
