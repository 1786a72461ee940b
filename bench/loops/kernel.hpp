// kernel.hpp: the program around a loop kernel: its arguments, its time and its answer's check.
//
//     spmv [--input NAME] [--scale X] [--repeat N] [--runtime FILE] [--rival PID]
//          [--no-yardstick]        in the lab, whose time is a model's: nothing else runs there
//     spmv --distribution [--input NAME] [--scale X]    the work per iteration of each loop
//     spmv --list                                       the kernels in this program
//     spmv --owners N                                   which thread runs which of N iterations
//
// Why    Every loop says schedule(runtime), so one program measures all schedules that
//        OMP_SCHEDULE, or a runtime's own variable, can name. A run calls its loops many times, as
//        applications do: a schedule that learns from earlier calls has something to learn from. A
//        run takes 20 to 60 ms on one thread of a present machine, or 2 to 10 ms where iterations
//        are short.
// Check  Each run is checked twice. Each loop adds up its iterations' tickets: an iteration that
//        was lost or repeated changes the sum. And the answer is compared with that of a serial
//        form, which uses no OpenMP at all, or with a condition that it must meet.
// Not    a measure of a runtime's overheads: see ../micro. Some loops here do little work per
//        iteration because the applications that they represent do.
#pragma once
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/numbers.hpp"
#include "../kernels/yardstick.hpp"
#include "options.hpp"
#include "work.hpp"

#ifdef BENCH_IDENTITY
#include "../micro/identity.hpp"
#endif

namespace bench {

inline constexpr int kWrong = 4;  // an exit status

// A ticket is a square and not the number itself: with numbers, a loop that runs 2 and 3 instead of
// 1 and 4 would pass.
inline uint64_t ticket(long i) {
  const uint64_t number = static_cast<uint64_t>(i) + 1;
  return number * number;
}

class Tickets {
 public:
  // `sum` is the sum of tickets in one call of a loop with iterations 0 to trip-1.
  void loop(uint64_t sum, long trip) {
    ++calls_;
    right_ &= sum == sum_of_squares(trip);
  }
  bool right() const { return right_; }
  long calls() const { return calls_; }

 private:
  static uint64_t sum_of_squares(long trip) {
    const auto n = static_cast<unsigned __int128>(trip);
    return static_cast<uint64_t>(n * (n + 1) * (2 * n + 1) / 6);
  }

  bool right_ = true;
  long calls_ = 0;
};

// A size that grows with --scale, alone or as one of `dimensions` dimensions.
inline long scaled(long size, double scale, int dimensions = 1, long least = 1) {
  return std::max(least,
                  std::lround(static_cast<double>(size) * std::pow(scale, 1.0 / dimensions)));
}

// CPU time of a process that competes for a core with this one: how much it used during a run.
class Rival {
 public:
  explicit Rival(long pid) : there_(pid > 0) {
    if (there_ && clock_getcpuclockid(static_cast<pid_t>(pid), &clock_) != 0)
      reject("no such process:", std::to_string(pid), "--rival PID of a process that runs");
  }
  bool there() const { return there_; }
  double now_ns() const { return there_ ? clock_ns(clock_) : 0; }

 private:
  bool there_;
  clockid_t clock_{};
};

struct Sample {
  double wall_ns, cpu_ns, rival_ns;
  double yardstick_ns;  // the longer of those before and after; 0 if it is not measured
  long calls;           // of loops
};

template <class Kernel>
Sample sample(Kernel& kernel, const Rival& rival, bool with_yardstick, const std::string& name,
              long run) {
  Tickets tickets;
  const auto yardstick_ns = [&] { return with_yardstick ? yardstick().slowest_ns : 0; };
  const double before = yardstick_ns();
  kernel.prepare();
  const double rival_before = rival.now_ns();
  const Times start = times_now();
  LAB_START();
  kernel.run(tickets);
  LAB_STOP();
  const Times end = times_now();
  const double rival_after = rival.now_ns();
  const double longest = std::max(before, yardstick_ns());
  const char* wrong = !tickets.right() ? "iterations lost or repeated"
                      : kernel.right() ? nullptr
                                       : "wrong answer";
  if (wrong != nullptr) {
    std::fprintf(stderr, "refused: %s: %s, run %ld\n", name.c_str(), wrong, run);
    std::exit(kWrong);
  }
  return {end.wall_ns - start.wall_ns, end.cpu_ns - start.cpu_ns, rival_after - rival_before,
          longest, tickets.calls()};
}

inline void print_list(const char* key, const std::vector<Sample>& samples, double Sample::* what) {
  std::printf(",\"%s\":[", key);
  for (size_t i = 0; i < samples.size(); ++i)
    std::printf("%s%.0f", i > 0 ? "," : "", samples[i].*what);
  std::printf("]");
}

template <class Kernel>
void measure_input(size_t input, const std::string& name, const LoopOptions& options) {
  const Rival rival(options.rival);
  Kernel kernel(input, options.scale);
  const bool with_yardstick = options.yardstick && !rival.there();
  if (with_yardstick) wait_for_cores();
  std::vector<Sample> samples;
  for (long run = 1; run <= options.repeat; ++run)
    samples.push_back(sample(kernel, rival, with_yardstick, name, run));
  std::printf("{\"kind\":\"kernel\",\"kernel\":\"%s\",\"scale\":%g,\"calls\":%ld", name.c_str(),
              options.scale, samples.back().calls);
  print_list("ns", samples, &Sample::wall_ns);
  print_list("cpu_ns", samples, &Sample::cpu_ns);
  print_list("yardstick_ns", samples, &Sample::yardstick_ns);
  if (options.rival > 0) print_list("rival_ns", samples, &Sample::rival_ns);
  std::printf("}\n");
}

template <class Kernel>
void print_works(const Kernel& kernel, const std::string& name) {
  for (const Work& work : kernel.works()) work.print(name);
}

inline void print_owners(long trip) {
  std::vector<int> owners(static_cast<size_t>(trip), -1);
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < trip; ++i) owners[static_cast<size_t>(i)] = omp_get_thread_num();
  std::printf("{\"kind\":\"owners\",\"owners\":[");
  for (size_t i = 0; i < owners.size(); ++i) std::printf("%s%d", i > 0 ? "," : "", owners[i]);
  std::printf("]}\n");
}

template <class Kernel>
void reject_input(const char* input) {
  std::string names;
  for (const char* name : Kernel::kInputs) names += std::string(names.empty() ? "" : ", ") + name;
  reject("no input", input, names.empty() ? "none, because there is only one" : names);
}

// A kernel is a class with
//   kName, kInputs          its name and those of its inputs: one "" if there is only one
//   Kernel(input, scale)    makes that input, and the right answer by a serial form
//   prepare()               runs before each run and is not timed
//   run(tickets)            is timed; opens its own regions
//   right()                 whether the last run's answer is right
//   works()                 the work per iteration of its loops, noted by the serial form
template <class Kernel>
int loop_main(int argc, char** argv) {
  const LoopOptions options = loop_options(argc, argv);
  if (options.owners > 0) return print_owners(options.owners), 0;
#ifdef BENCH_IDENTITY
  if (!options.list && !options.distribution) identify(options.runtime, team_size());
#endif
  bool found = false;
  for (size_t i = 0; i < Kernel::kInputs.size(); ++i) {
    const std::string input = Kernel::kInputs[i];
    if (options.input != nullptr && input != options.input) continue;
    found = true;
    const std::string name = Kernel::kName + (input.empty() ? "" : "-" + input);
    if (options.list)
      std::printf("{\"kind\":\"input\",\"kernel\":\"%s\",\"input\":\"%s\"}\n", name.c_str(),
                  input.c_str());
    else if (options.distribution)
      print_works(Kernel(i, options.scale), name);
    else
      measure_input<Kernel>(i, name, options);
  }
  if (!found) reject_input<Kernel>(options.input);
  return 0;
}

}  // namespace bench
