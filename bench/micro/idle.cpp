// idle.cpp: CPU time that the runtime's threads burn while the program only sleeps.
//
//     idle AFTER_MS FOR_MS [RUNTIME]
//
// After its last region the main thread sleeps AFTER_MS and then FOR_MS; the report is what the
// process uses during FOR_MS. The sleeping thread's own share is a few microseconds.
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "identity.hpp"

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// Regions in quick succession, so that a runtime that learns to spin has learned it.
long busy_regions() {
  constexpr int kRegions = 2000;
  long entered = 0;
  for (int i = 0; i < kRegions; ++i) {
#pragma omp parallel reduction(+ : entered)
    ++entered;
  }
  return entered / kRegions;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int threads = bench::team_size();
  bench::identify(argc > 3 ? argv[3] : nullptr, threads);
  if (busy_regions() != threads) return bench::kWrongAnswer;
  const double at_end = cpu_ms();
  std::this_thread::sleep_for(Milliseconds(std::atof(argv[1])));
  const double start = cpu_ms();
  std::this_thread::sleep_for(Milliseconds(std::atof(argv[2])));
  std::printf("{\"kind\":\"idle\",\"before_ms\":%.3f,\"idle_ms\":%.3f}\n", start - at_end,
              cpu_ms() - start);
}
