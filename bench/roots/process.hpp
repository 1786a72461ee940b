// process.hpp: what the programs of bench/roots share: work that takes a known time, and the regions that do it.
//
// Work   Locked additions to a word of the thread's own: each needs the one before, and takes so long that an emulator
//        has few instructions to run for a microsecond. The program measures by itself how many a microsecond takes.
// Check  The same work was done without OpenMP before; the sum of each region equals it.
#pragma once
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "../../lab/mark.h"
#include "../kernels/arguments.hpp"
#include "../kernels/numbers.hpp"
#include "../kernels/work.hpp"
#include "../micro/identity.hpp"

namespace bench {

struct ProcessOptions {
  bool serial = false;      // without parallel regions
  double work_us = 200;     // of a region, by all its threads together
  double task_us = 20;      // of a task
  double warm_ms = 0;       // regions that are not timed, for so long
  double total_ms = 300;    // of all regions together
  double steps_per_us = 0;  // 0: it is measured
  int roots = 1;
  const char* kind = "static";
  const char* runtime = nullptr;
};

inline constexpr const char* kKinds = "static, dynamic, tasks";
inline constexpr const char* kProcessOptions =
    "--serial, --work-us X, --task-us X, --warm-ms X, --total-ms X, --steps-per-us X, --roots N, "
    "--kind NAME, --runtime FILE";

inline bool set_value(ProcessOptions& options, std::string_view name, const char* value) {
  const auto time = [&](double least) {
    return number(name, value, least, 1e6, "a number up to 1000000");
  };
  if (name == "--work-us")
    options.work_us = time(0.1);
  else if (name == "--task-us")
    options.task_us = time(0.1);
  else if (name == "--warm-ms")
    options.warm_ms = time(0);
  else if (name == "--total-ms")
    options.total_ms = time(0.1);
  else if (name == "--steps-per-us")
    options.steps_per_us = time(0.1);
  else if (name == "--roots")
    options.roots = number(name, value, 1, 1024, "1 to 1024");
  else if (name == "--kind")
    options.kind = value;
  else if (name == "--runtime")
    options.runtime = value;
  else
    return false;
  return true;
}

inline bool set_flag(ProcessOptions& options, std::string_view name) {
  return name == "--serial" && (options.serial = true);
}

class Work {
 public:
  static constexpr int kParts = 64;  // of a region: enough for each thread of the machines here

  explicit Work(const ProcessOptions& options)
      : steps_per_us_(options.steps_per_us > 0 ? options.steps_per_us : measured()),
        steps_(std::lround(steps_per_us_ * options.work_us / kParts)) {}

  uint64_t part(int i) const { return walk(steps_, static_cast<uint64_t>(i)); }
  uint64_t serial() const {
    uint64_t sum = 0;
    for (int i = 0; i < kParts; ++i) sum += part(i);
    return sum;
  }
  uint64_t in_static_loop() const {
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < kParts; ++i) sum += part(i);
    return sum;
  }
  uint64_t in_dynamic_loop() const {
    uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
    for (int i = 0; i < kParts; ++i) sum += part(i);
    return sum;
  }
  // A binary tree of tasks, whose leaves have so many parts each.
  uint64_t in_tasks(int leaf) const {
    uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
    sum += task_tree(0, kParts, leaf, [this](long first, long count) {
      uint64_t of_leaf = 0;
      for (long i = first; i < first + count; ++i) of_leaf += part(static_cast<int>(i));
      return of_leaf;
    });
    return sum;
  }
  double steps_per_us() const { return steps_per_us_; }

 private:
  [[gnu::noinline]] static uint64_t walk(long steps, uint64_t seed) {
    std::atomic<uint64_t> word = seed;
    asm volatile("" ::"r"(&word) : "memory");  // the compiler may not know that it is nobody else's
    for (long i = 0; i < steps; ++i) word.fetch_add(2 * seed + 1, std::memory_order_relaxed);
    return word;
  }
  static double measured() { return bench::steps_per_us(walk, 20'000, 20); }

  const double steps_per_us_;
  const long steps_;
};

inline void expect(uint64_t sum, uint64_t right) {
  if (sum == right) return;
  std::fprintf(stderr, "refused: wrong answer\n");
  std::exit(kWrongAnswer);
}

}  // namespace bench
