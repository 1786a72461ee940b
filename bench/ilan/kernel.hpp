// kernel.hpp: the program around a kernel that proceeds in steps: its arguments, its time, and the
// check of its answer.
//
//     cg [--form taskloop|runtime|auto|serial] [--size N | --small] [--steps N] [--repeat N]
//        [--runtime FILE]
//
// Why    A tuner learns from a loop's earlier executions. So a run has 200 steps, and each step
//        executes each loop at least once; the exception are cg's loops that begin a round. Sizes
//        are such that a run takes some tenths of a second on one thread of a present machine;
//        --size and --steps go up to those of class D of the NAS benchmarks.
// Time   The steps are timed. A process's first run contains all of the exploration. Arrays are
//        filled and threads are created before the clock starts.
// Lab    A guest of the lab counts each run, from its start on.
// Check  Each run's answer is checked twice: against the serial form of the same source, and
//        against what mathematics or physics says of the answer.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/apart.hpp"
#include "../kernels/array.hpp"
#include "../kernels/forms.hpp"
#include "../kernels/numbers.hpp"
#include "../kernels/yardstick.hpp"
#include "options.hpp"

#ifdef BENCH_IDENTITY
#include "../micro/identity.hpp"
#endif

namespace bench {

inline constexpr int kWrong = 4;  // an exit status

template <class Form, class Kernel>
Times run(Kernel& kernel, long steps) {
  Form::region([&] { kernel.start(Form{}); });
  const Times start = times_now();
  Form::region([&] {
    for (long s = 0; s < steps; ++s) kernel.step(Form{}, s);
  });
  const Times end = times_now();
  return {end.wall_ns - start.wall_ns, end.cpu_ns - start.cpu_ns};
}

template <class Kernel>
void check(const Kernel& kernel, const Kernel& serial, const KernelOptions& options, long run) {
  const double difference = kernel.difference(serial);
  const char* wrong = kernel.complaint();
  if (wrong == nullptr && difference <= Kernel::kTolerance) return;
  std::fprintf(stderr,
               "refused: wrong answer from %s, form %.*s, size %ld, run %ld: ", Kernel::kName,
               static_cast<int>(options.form.size()), options.form.data(), options.size, run);
  if (wrong != nullptr)
    std::fprintf(stderr, "%s\n", wrong);
  else
    std::fprintf(stderr, "%g away from the serial form's answer, more than %g\n", difference,
                 Kernel::kTolerance);
  std::exit(kWrong);
}

inline void print_list(const char* key, const std::vector<double>& values) {
  std::printf(",\"%s\":[", key);
  for (size_t i = 0; i < values.size(); ++i) std::printf("%s%.0f", i > 0 ? "," : "", values[i]);
  std::printf("]");
}

template <class Form, class Kernel>
int measure(const KernelOptions& options) {
  constexpr bool kSerial = std::is_same_v<Form, Serial>;
#ifdef BENCH_IDENTITY
  identify(options.runtime, kSerial ? 1 : team_size());
#endif
  Kernel serial(options.size), kernel(options.size);
  run<Serial>(serial, options.steps);
  const auto yardstick_ns = [] { return (kSerial ? yardstick_alone() : yardstick()).slowest_ns; };
  if (!kSerial) wait_for_cores();
  std::vector<double> wall, cpu, yardsticks;
  for (long i = 1; i <= options.repeat; ++i) {
    const double before = yardstick_ns();
    LAB_START();
    const Times times = run<Form>(kernel, options.steps);
    LAB_STOP();
    yardsticks.push_back(std::max(before, yardstick_ns()));
    check(kernel, serial, options, i);
    wall.push_back(times.wall_ns);
    cpu.push_back(times.cpu_ns);
  }
  std::printf("{\"kind\":\"kernel\",\"kernel\":\"%s\",\"form\":\"%s\",\"size\":%ld,\"steps\":%ld",
              Kernel::kName, Form::kName, options.size, options.steps);
  print_list("ns", wall);
  print_list("cpu_ns", cpu);
  print_list("yardstick_ns", yardsticks);
  std::printf("}\n");
  return 0;
}

// A kernel is a class with
//   kName, kSizes, kTolerance   its name, valid values of --size, tolerance against the serial form
//   Kernel(size)                does not touch its arrays
//   start(form)                 runs before each run and is not timed
//   step(form, number)          is timed
//   difference(other)           the distance between the answers of two kernels
//   complaint()                 what is wrong with the answer in itself; null if nothing is wrong
template <class Kernel>
int kernel_main(int argc, char** argv) {
  const KernelOptions options = kernel_options(argc, argv, Kernel::kSizes);
  if (options.form == Taskloop::kName) return measure<Taskloop, Kernel>(options);
  if (options.form == Runtime::kName) return measure<Runtime, Kernel>(options);
  if (options.form == Auto::kName) return measure<Auto, Kernel>(options);
  if (options.form == Serial::kName) return measure<Serial, Kernel>(options);
  reject("no form", options.form, "taskloop, runtime, auto, serial");
}

}  // namespace bench
