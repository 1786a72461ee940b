// quota.cpp: a program of many short parallel loops, or the same work without OpenMP.
//
//     quota MODE LENGTH_US TOTAL_MS STEPS_PER_US [RUNTIME]
//     MODE: serial, parallel; or calibrate, which only prints STEPS_PER_US
//
// The driver calibrates once and passes the figure to every process. So the work is the same
// everywhere, whatever a quota would do to the clock of a process that measures it.
#include <omp.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "identity.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPieces = 64;  // iterations of each loop

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// CPU time of the whole process, without sleeping and throttled time: a quota is spent on it.
double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// A chain of dependent operations: its speed does not depend on memory or vector units.
[[gnu::noinline]] unsigned long work(long steps, unsigned long seed) {
  for (long i = 0; i < steps; ++i) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    asm volatile("" : "+r"(seed));
  }
  return seed;
}

unsigned long serial_loop(long steps) {
  unsigned long sum = 0;
  for (int k = 0; k < kPieces; ++k) sum += work(steps, k);
  return sum;
}

unsigned long parallel_loop(long steps) {
  unsigned long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int k = 0; k < kPieces; ++k) sum += work(steps, k);
  return sum;
}

// The fastest of many short tries: nothing can make a chain of dependent operations too fast.
double steps_per_us() {
  constexpr long kSteps = 100'000;
  double best = 1e9;
  for (int i = 0; i < 100; ++i) {
    const auto start = Clock::now();
    work(kSteps, i);
    best = std::fmin(best, seconds_since(start));
  }
  return kSteps / (best * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "calibrate") {
    std::printf("%.3f\n", steps_per_us());
    return 0;
  }
  if (argc < 5) return 2;
  const bool serial = std::string_view(argv[1]) == "serial";
  const double length_us = std::atof(argv[2]);
  const long loops = std::lround(std::atof(argv[3]) * 1e3 / length_us);
  const long steps = std::lround(std::atof(argv[4]) * length_us / kPieces);

  int threads = 1;
  if (!serial) {
    threads = bench::team_size();
    bench::identify(argc > 5 ? argv[5] : nullptr, threads);
  }
  const unsigned long expected = serial_loop(steps);
  const double cpu_before = cpu_seconds();
  const auto start = Clock::now();
  for (long i = 0; i < loops; ++i)
    if ((serial ? serial_loop(steps) : parallel_loop(steps)) != expected)
      return bench::kWrongAnswer;
  const double wall = seconds_since(start);
  std::printf("{\"kind\":\"quota\",\"seconds\":%.6f,\"cpu\":%.6f,\"threads\":%d,\"loops\":%ld}\n",
              wall, cpu_seconds() - cpu_before, threads, loops);
}
