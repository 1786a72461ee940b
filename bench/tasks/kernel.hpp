// kernel.hpp: the program around a task kernel: its arguments, its time and its answer's check.
//
//     fib [--size N | --large] [--repeat N] [--runtime FILE]
//
// Without arguments a kernel is a test: it runs its small size twice, because a runtime that cleans
// up badly shows it the second time. --large is the size that benchmarks measure. One source serves
// all forms: without -fopenmp it is the serial form, because every kernel is right without its
// directives; with -DUNTIED its tasks are untied.
#pragma once
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/numbers.hpp"

#ifdef BENCH_IDENTITY
#include "../micro/identity.hpp"
#endif

#ifdef UNTIED
#define TIEDNESS untied
#else
#define TIEDNESS
#endif

namespace bench {

struct KernelOptions {
  long size = 0;  // 0: the kernel's small size
  bool large = false;
  long repeat = 2;
  const char* runtime = nullptr;
};

[[noreturn]] inline void reject(const char* why, const char* what) {
  std::fprintf(stderr,
               "%s '%s'; accepted: --size N | --large, --repeat N (N a whole number from 1), "
               "--runtime FILE\n",
               why, what);
  std::exit(2);
}

inline long whole_number(const char* text) {
  long value = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || rest != end || value < 1) reject("not a whole number from 1:", text);
  return value;
}

inline KernelOptions kernel_options(int argc, char** argv) {
  KernelOptions options;
  for (int i = 1; i < argc; ++i) {
    const char* name = argv[i];
    if (!std::strcmp(name, "--large")) {
      options.large = true;
      continue;
    }
    if (std::strcmp(name, "--size") && std::strcmp(name, "--repeat") &&
        std::strcmp(name, "--runtime"))
      reject("unknown argument", name);
    if (++i == argc) reject("a value is missing after", name);
    if (!std::strcmp(name, "--size"))
      options.size = whole_number(argv[i]);
    else if (!std::strcmp(name, "--repeat"))
      options.repeat = whole_number(argv[i]);
    else
      options.runtime = argv[i];
  }
  return options;
}

template <class Kernel>
Times measure(Kernel& kernel, long size, long repeat) {
  std::vector<double> wall, cpu;
  for (long i = 0; i < repeat; ++i) {
    kernel.prepare();
    const Times start = times_now();
    LAB_START();
    kernel.run();
    LAB_STOP();
    const Times end = times_now();
    wall.push_back(end.wall_ns - start.wall_ns);
    cpu.push_back(end.cpu_ns - start.cpu_ns);
    if (!kernel.right()) {
      std::fprintf(stderr, "refused: wrong answer from %s, size %ld, run %ld\n", Kernel::kName,
                   size, i + 1);
      std::exit(4);
    }
  }
  return {median(wall), median(cpu)};
}

// A kernel is a class with
//   kName, kSmall, kLarge, kMost   its name, its two sizes, the largest that it accepts
//   Kernel(size)                   makes the input and the right answer
//   prepare()                      runs before each run and is not timed
//   run()                          is timed; opens its own region
//   right()                        whether the last run's answer is right
//   tasks()                        how many tasks a run generates; 0 if that is not of interest
//   print()                        optional: prints a line of its own about the last run
template <class Kernel>
int kernel_main(int argc, char** argv) {
  const KernelOptions options = kernel_options(argc, argv);
  const long chosen = options.large ? Kernel::kLarge : Kernel::kSmall;
  const long size = options.size > 0 ? options.size : chosen;
  if (size > Kernel::kMost) {
    std::fprintf(stderr, "--size %ld is too large; %s accepts 1 to %ld\n", size, Kernel::kName,
                 Kernel::kMost);
    return 2;
  }
#ifdef BENCH_IDENTITY
  identify(options.runtime, team_size());
#endif
  if (size > Kernel::kSmall) {  // creates the threads and warms up code and heap
    Kernel first(Kernel::kSmall);
    measure(first, Kernel::kSmall, 1);
  }
  Kernel kernel(size);
  const Times times = measure(kernel, size, options.repeat);
  if constexpr (requires { kernel.print(); }) kernel.print();
  std::printf(
      "{\"kind\":\"kernel\",\"kernel\":\"%s\",\"size\":%ld,\"tasks\":%ld,\"ns\":%.0f,"
      "\"cpu_ns\":%.0f}\n",
      Kernel::kName, size, kernel.tasks(), times.wall_ns, times.cpu_ns);
  return 0;
}

}  // namespace bench
