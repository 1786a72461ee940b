// copy.hpp: what the programs of bench/crowded share: one copy of several that start together.
//
// Why    On a crowded machine a copy that starts first has the cores to itself, and one that ends
//        last has them again. So no copy works before all are ready, each has the same fixed amount
//        of work, and the driver takes the time from the common start to the end of the last.
// How    A copy that is ready writes a byte into one pipe and reads from another. The driver has
//        the only writing end of that pipe: closing it ends all reads at once. Each copy reports
//        when its work ended, by the clock that the driver has too, and the CPU time of the work.
// Work   Steps of a recurrence, each of which needs the one before, so that neither memory nor the
//        other hardware thread of a core has a part in its speed. The driver measures once how many
//        steps a microsecond takes, and passes the figure to all.
// Check  The same work was done without OpenMP before the start; the sums of all regions equal it.
#pragma once
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "../kernels/arguments.hpp"
#include "../kernels/numbers.hpp"
#include "../kernels/work.hpp"
#include "../micro/identity.hpp"

namespace bench {

struct CopyOptions {
  bool calibrate = false;  // only print the steps of a microsecond
  bool serial = false;     // without OpenMP
  double work_us = 200;    // of a region, by all threads together
  double task_us = 2;      // of a task
  double total_ms = 300;   // of all regions
  double pace_ms = 0;      // instead: regions for so long, counted by the millisecond
  double steps_per_us = 0;
  const char* schedule = "both";
  const char* by_hand = nullptr;  // how threads without OpenMP wait: by_hand.hpp
  const char* runtime = nullptr;
  int ready = -1, go = -1;  // file descriptors

  long regions() const { return std::lround(total_ms * 1e3 / work_us); }
};

inline bool set_value(CopyOptions& options, std::string_view name, const char* value) {
  constexpr const char* kPositive = "a number from 0.1 to 1000000";
  const auto positive = [&] { return number(name, value, 0.1, 1e6, kPositive); };
  const auto file = [&] { return number(name, value, 0, 1'000'000, "a file descriptor"); };
  if (name == "--work-us")
    options.work_us = positive();
  else if (name == "--task-us")
    options.task_us = positive();
  else if (name == "--total-ms")
    options.total_ms = positive();
  else if (name == "--pace-ms")
    options.pace_ms = positive();
  else if (name == "--steps-per-us")
    options.steps_per_us = positive();
  else if (name == "--schedule")
    options.schedule = value;
  else if (name == "--by-hand")
    options.by_hand = value;
  else if (name == "--runtime")
    options.runtime = value;
  else if (name == "--ready")
    options.ready = file();
  else if (name == "--go")
    options.go = file();
  else
    return false;
  return true;
}

inline CopyOptions copy_options(int argc, char** argv) {
  constexpr const char* kAccepted =
      "--calibrate, --serial, --work-us X, --task-us X, --total-ms X, --pace-ms X, "
      "--steps-per-us X, --schedule static|dynamic|both, --by-hand yield|futex, --runtime FILE, "
      "--ready FD, --go FD";
  CopyOptions options;
  const auto set_flag = [&](std::string_view name) {
    if (name == "--calibrate")
      options.calibrate = true;
    else if (name == "--serial")
      options.serial = true;
    else
      return false;
    return true;
  };
  read_arguments(argc, argv, kAccepted, set_flag, [&](std::string_view name, const char* value) {
    return set_value(options, name, value);
  });
  return options;
}

[[gnu::noinline]] inline uint64_t walk(long steps, uint64_t seed) {
  for (long i = 0; i < steps; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(seed));
  }
  return seed;
}

inline double calibrated_steps_per_us() { return steps_per_us(walk, 100'000, 200); }

// Tells the driver that this copy is ready, and waits for all others.
inline void wait_for_start(const CopyOptions& options) {
  char byte = 0;
  if (options.ready >= 0 && write(options.ready, &byte, 1) != 1) std::exit(1);
  if (options.go >= 0 && read(options.go, &byte, 1) != 0) std::exit(1);
}

// Regions that began in each millisecond from the first one on.
inline void print_pace(const std::vector<long>& begun, double start_ns) {
  std::printf("{\"kind\":\"pace\",\"start_ns\":%.0f,\"regions\":[", start_ns);
  for (size_t i = 0; i < begun.size(); ++i) std::printf("%s%ld", i > 0 ? "," : "", begun[i]);
  std::printf("]}\n");
}

inline void expect(uint64_t sum, uint64_t right) {
  if (sum == right) return;
  std::fprintf(stderr, "refused: wrong answer\n");
  std::exit(kWrongAnswer);
}

template <class Region>
void keep_pace(double pace_ms, uint64_t right, const Region& region) {
  std::vector<long> begun(static_cast<size_t>(std::ceil(pace_ms)));
  const double start = clock_ns(CLOCK_MONOTONIC);
  for (double now = start; now < start + pace_ms * 1e6; now = clock_ns(CLOCK_MONOTONIC)) {
    ++begun[static_cast<size_t>((now - start) / 1e6)];
    expect(region(0), right);
  }
  print_pace(begun, start);
}

template <class Region>
void do_work(long regions, uint64_t right, const Region& region) {
  const Times start = times_now();
  for (long i = 0; i < regions; ++i) expect(region(i), right);
  const Times end = times_now();
  std::printf(
      "{\"kind\":\"copy\",\"start_ns\":%.0f,\"end_ns\":%.0f,\"cpu_ns\":%.0f,\"regions\":%ld}\n",
      start.wall_ns, end.wall_ns, end.cpu_ns - start.cpu_ns, regions);
}

// `region(i)` does the i-th region and returns its sum.
template <class Region>
void perform(const CopyOptions& options, uint64_t right, const Region& region) {
  wait_for_start(options);
  if (options.pace_ms > 0)
    keep_pace(options.pace_ms, right, region);
  else
    do_work(options.regions(), right, region);
}

// Starts a program that has no arguments of its own; returns false if there is no more to do.
inline bool set_up(const CopyOptions& options) {
  if (options.calibrate) {
    std::printf("{\"kind\":\"speed\",\"steps_per_us\":%.3f}\n", calibrated_steps_per_us());
    return false;
  }
  if (options.steps_per_us == 0)
    reject("no value for", "--steps-per-us", "what the program prints with --calibrate");
  if (!options.serial && options.by_hand == nullptr) identify(options.runtime, team_size());
  return true;
}

}  // namespace bench
