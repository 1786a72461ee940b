// idle: one thread generates short tasks and then a long one. How long is any other thread idle?
//
// Why    A runtime may run a short task as a call. The thread that does so generates no task meanwhile,
//        and a thread without work waits for it. docs/design/tasks.md says for how long at most.
// Prints a line before the kernel's own. A thread is idle from the end of a task, or from the first
//        one's generation, to the beginning of its next task, or to that of the last task of all. A
//        thread that loses its core is idle, too: so the line has the longest time and the number of
//        those beyond the bound.
// Tasks  watch the clock instead of counting steps, so that they are short on any machine.
#include <algorithm>
#include <cstdint>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "kernel.hpp"

namespace {

// A task of 8 µs is short by kLongNs of src/task/lengths.hpp, which is the bound.
constexpr double kTaskNs = 8'000, kLongTaskNs = 1'000'000, kBoundNs = 10'000;

double now() { return bench::clock_ns(CLOCK_MONOTONIC); }

#ifdef _OPENMP
int me() { return omp_get_thread_num(); }
int most_threads() { return omp_get_max_threads(); }
#else
int me() { return 0; }
int most_threads() { return 1; }
#endif

struct Ran {
  double begin = 0, end = 0;
  int thread = -1;
};

struct Kernel {
  static constexpr const char* kName = "idle";
  static constexpr long kSmall = 200, kLarge = 20'000, kMost = 10'000'000;

  explicit Kernel(long size) : ran(static_cast<size_t>(size)) {}
  void prepare() { std::fill(ran.begin(), ran.end(), Ran{}); }

  void run_one(size_t i) {
    Ran& mine = ran[i];
    mine.thread = me();
    mine.begin = now();
    const double ns = i + 1 == ran.size() ? kLongTaskNs : kTaskNs;
    do mine.end = now();
    while (mine.end - mine.begin < ns);
  }
  void run() {
#pragma omp parallel
    {
#pragma omp barrier  // a thread that the region has yet to wake is not idle for want of a task
#pragma omp single
      generate();
    }
  }
  void generate() {
    producer = me();
    begun = now();
    for (size_t i = 0; i < ran.size(); ++i) {
#pragma omp task
      run_one(i);
    }
  }
  bool right() const {
    return std::all_of(ran.begin(), ran.end(), [](const Ran& one) { return one.thread >= 0; });
  }
  long tasks() const { return static_cast<long>(ran.size()); }

  // The times that thread `t` was idle.
  std::vector<double> idle(int t, double last_begin) const {
    std::vector<Ran> mine;
    for (const Ran& one : ran)
      if (one.thread == t) mine.push_back(one);
    std::sort(mine.begin(), mine.end(), [](auto& a, auto& b) { return a.begin < b.begin; });
    std::vector<double> times;
    double since = begun;
    for (const Ran& one : mine) {
      times.push_back(one.begin - since);
      since = one.end;
    }
    if (since < last_begin) times.push_back(last_begin - since);
    return times;
  }
  void print() const {
    double last_begin = 0;
    for (const Ran& one : ran) last_begin = std::max(last_begin, one.begin);
    std::vector<double> times;
    for (int t = 0; t < most_threads(); ++t)
      if (t != producer)
        for (const double ns : idle(t, last_begin)) times.push_back(ns);
    if (times.empty()) return;
    const auto beyond =
        std::count_if(times.begin(), times.end(), [](double ns) { return ns > kBoundNs; });
    std::printf(
        "{\"kind\":\"idle\",\"bound_ns\":%.0f,\"times\":%zu,\"median_ns\":%.0f,\"longest_ns\":%.0f,"
        "\"beyond\":%td}\n",
        kBoundNs, times.size(), bench::median(times), *std::max_element(times.begin(), times.end()),
        beyond);
  }

  std::vector<Ran> ran;
  int producer = 0;
  double begun = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
