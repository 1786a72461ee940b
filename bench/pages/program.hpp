// program.hpp: the program around a kernel whose arrays one thread fills, or all threads.
//
//     triad [--fill serial|parallel] [--size N] [--steps N] [--interleave] [--times]
//           [--thrice] [--runtime FILE]
//
// Why    On a machine with several NUMA nodes a page lies where it was first written. These
//        programs are written as people write them: they know OpenMP's pragmas and the C library,
//        and nothing of nodes or of the runtime. Their time depends on what is done for pages.
// Fill   serial: the initial thread writes all arrays. parallel: the threads of a static loop do before,
//        each the part that it will use, which is the cure by hand; then the initial thread writes the
//        same once more, as one that reads a file does. So both have the same serial phase before the
//        first step, in which the team may fall asleep, and differ only by where pages lie.
// Size   What one thread has, so that equal work is done for each CPU of any machine.
// Time   Each step is timed, and so is the run from the beginning of main on: what a runtime tries
//        and moves between steps is in the sum. A region that does nothing was run before, because to make
//        threads takes as long as many steps. --times prints the time of each step.
// Lab    A guest counts the run up to the last step's end. Memory costs time only while it counts.
// Check  The checksum is one of all bits of the answer, which depends on neither the number of
//        threads of a loop nor the place of any page: the suite compares it over all its runs.
// Thrice --thrice runs all in two other processes before, for what a runtime remembers in a file.
// Not    numactl: --interleave sets the process's policy as `numactl --interleave=all` does.
#pragma once
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/arguments.hpp"
#include "../kernels/interleaved.hpp"
#include "../kernels/numbers.hpp"
#include "../micro/identity.hpp"

namespace bench {

struct PagesOptions {
  bool serial = true, interleave = false, times = false, thrice = false;
  long size, steps = 200;
  const char* runtime = nullptr;
};

inline PagesOptions pages_options(int argc, char** argv, long usual_size) {
  constexpr const char* kAccepted =
      "--fill serial|parallel, --size N, --steps N, --runtime FILE, each value after its name; "
      "--interleave; --times; --thrice";
  constexpr const char* kMillion = "a whole number from 1 to 1000000";
  PagesOptions options{.size = usual_size};
  const auto flag = [&](std::string_view name) {
    options.interleave |= name == "--interleave";
    options.times |= name == "--times";
    options.thrice |= name == "--thrice";
    return name == "--interleave" || name == "--times" || name == "--thrice";
  };
  read_arguments(argc, argv, kAccepted, flag, [&](std::string_view name, const char* value) {
    const std::string_view text = value;
    if (name == "--fill" && (text == "serial" || text == "parallel"))
      options.serial = text == "serial";
    else if (name == "--size")
      options.size = number(name, value, 1L, 1'000'000L, kMillion);
    else if (name == "--steps")
      options.steps = number(name, value, 1L, 1'000'000L, kMillion);
    else if (name == "--runtime")
      options.runtime = value;
    else
      return false;
    return true;
  });
  return options;
}

// Runs this program once more, without --thrice, and leaves out what it prints.
inline void run_before(std::vector<char*> words) {
  const pid_t child = fork();
  if (child == 0) {
    std::erase_if(words, [](const char* word) {
      return word != nullptr && std::string_view(word) == "--thrice";
    });
    if (std::freopen("/dev/null", "w", stdout) != nullptr) execv("/proc/self/exe", words.data());
    _exit(1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) == child && status == 0) return;
  std::fprintf(stderr, "refused: the run before ended with %d\n", status);
  std::exit(1);
}

// Calls write(i) for all i < n, by one thread or by those of a static loop.
template <class Write>
void fill(bool serial, long n, const Write& write) {
  if (serial) {
    for (long i = 0; i < n; ++i) write(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) write(i);
}

// A checksum of the bits of n numbers in their order.
template <class T>
uint64_t bits_of(const T* values, long n) {
  uint64_t sum = 0;
  for (long i = 0; i < n; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &values[i], sizeof(T));
    sum = scrambled(sum ^ bits);
  }
  return sum;
}

// A kernel is a class with
//   kName, kSize                its name; its usual size for one thread
//   Kernel(size, threads)       makes its arrays and does not touch them
//   fill(serial)                writes them, each time the same
//   step(number)                is timed
//   checksum()                  of the answer
template <class Kernel>
int pages_main(int argc, char** argv) {
  const PagesOptions options = pages_options(argc, argv, Kernel::kSize);
  for (int i = 0; options.thrice && i < 2; ++i) run_before({argv, argv + argc + 1});
  const int threads = team_size();
  const double begin = clock_ns(CLOCK_MONOTONIC);
  LAB_START();
  if (options.interleave) interleave_all();
  std::vector<double> times;
  times.reserve(static_cast<size_t>(options.steps));
  Kernel kernel(options.size, threads);
  if (!options.serial) kernel.fill(false);
  kernel.fill(true);
  double last = clock_ns(CLOCK_MONOTONIC);
  const double filled = last;
  for (long s = 0; s < options.steps; ++s) {
    kernel.step(s);
    const double now = clock_ns(CLOCK_MONOTONIC);
    times.push_back(now - last);
    last = now;
  }
  LAB_STOP();
  identify(options.runtime, threads);
  const double quarter =
      options.steps > 3 ? median({times.end() - options.steps / 4, times.end()}) : times.back();
  std::printf(
      "{\"kind\":\"kernel\",\"kernel\":\"%s\",\"fill\":\"%s\",\"size\":%ld,\"threads\":%d,"
      "\"steps\":%ld,\"run_ns\":%.0f,\"fill_ns\":%.0f,\"sum_ns\":%.0f,\"median_ns\":%.0f,"
      "\"last_quarter_ns\":%.0f,\"checksum\":\"%016lx\"",
      Kernel::kName, options.serial ? "serial" : "parallel", options.size, threads, options.steps,
      last - begin, filled - begin, last - filled, median(times), quarter, kernel.checksum());
  for (size_t s = 0; options.times && s < times.size(); ++s)
    std::printf("%s%.0f", s == 0 ? ",\"ns\":[" : ",", times[s]);
  std::printf(options.times ? "]}\n" : "}\n");
  return 0;
}

}  // namespace bench
