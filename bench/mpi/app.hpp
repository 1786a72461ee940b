// app.hpp: what the MPI + OpenMP programs of bench/mpi share: arguments, time, the answer's check.
//
//     stencil [--size N] [--steps N] [--uneven X] [--runtime FILE] [--check]
//
// Why    Each loop says schedule(runtime), and no program sets a number of threads: settings and the
//        launcher decide. Ranks wait for each other in each step, as those of applications do.
// Check  A checksum is a sum modulo 2^64 of a hash of each value and its place, so it depends neither
//        on ranks nor on threads; and each value is computed in one order, whoever computes it. With
//        --check rank 0 computes the answer once more, in serial loops without MPI, and a checksum
//        that differs in one bit ends the program.
// Output One JSON line: the time from a barrier to the end of the last rank, and the checksum.
#pragma once
#include <mpi.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../kernels/arguments.hpp"
#include "../kernels/numbers.hpp"
#include "../micro/identity.hpp"

namespace bench {

struct AppOptions {
  long size, steps;
  double uneven = 1;  // how many times as much as another rank's is rank 0's part
  const char* runtime = nullptr;
  bool check = false;
};

inline AppOptions app_options(int argc, char** argv, AppOptions options) {
  constexpr const char* kAccepted =
      "--size N, --steps N, --uneven X, --runtime FILE, --check, each value after its name";
  const auto set_flag = [&](std::string_view name) {
    return name == "--check" && (options.check = true);
  };
  const auto set_value = [&](std::string_view name, const char* value) {
    if (name == "--size")
      options.size = number(name, value, 8L, 100'000L, "a whole number from 8 to 100000");
    else if (name == "--steps")
      options.steps = number(name, value, 1L, 1'000'000L, "a whole number from 1 to 1000000");
    else if (name == "--uneven")
      options.uneven = number(name, value, 1.0, 100.0, "a number from 1 to 100");
    else if (name == "--runtime")
      options.runtime = value;
    else
      return false;
    return true;
  };
  read_arguments(argc, argv, kAccepted, set_flag, set_value);
  return options;
}

struct Slice {
  long first, end;
  long length() const { return end - first; }
};

// Part `part` of `parts` of 0 to total-1. The first is `weight` times as long as another.
inline Slice slice(long total, int parts, int part, double weight = 1) {
  const auto bound = [&](int p) {
    if (p == 0) return 0L;
    return std::lround(static_cast<double>(total) * (weight + p - 1) / (weight + parts - 1));
  };
  return {bound(part), bound(part + 1)};
}

inline uint64_t hash(uint64_t place, double value) {
  return scrambled(scrambled(place) ^ std::bit_cast<uint64_t>(value));
}

// Too many ranks for the size would leave one of them without work.
inline void expect_work(bool has_work, const AppOptions& options) {
  int all = has_work;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all) return;
  MPI_Finalize();
  reject("not a value for --size:", std::to_string(options.size),
         "a size at which each rank has work");
}

inline void refuse_wrong(const char* name, uint64_t sum, uint64_t right) {
  if (sum == right) return;
  std::fprintf(stderr, "refused: %s: checksum %016lx is not %016lx of the serial program\n", name,
               sum, right);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, kWrongAnswer);
}

// An application is a class with
//   kName, kDefaults        its name and options
//   App(options)            makes this rank's part of the input
//   has_work()              whether this rank's part is more than nothing
//   run()                   is timed; called once
//   checksum()              of this rank's part of the answer
//   serial(options)         the checksum of the whole answer, without MPI and OpenMP
template <class App>
int app_main(int argc, char** argv) {
  const AppOptions options = app_options(argc, argv, App::kDefaults);
  int level = 0, rank = 0, ranks = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int threads = team_size();
  identify(options.runtime, threads);
  App app(options);
  expect_work(app.has_work(), options);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = clock_ns(CLOCK_MONOTONIC);
  app.run();
  double ns = clock_ns(CLOCK_MONOTONIC) - start;
  uint64_t sum = app.checksum();
  MPI_Allreduce(MPI_IN_PLACE, &ns, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    if (options.check) refuse_wrong(App::kName, sum, App::serial(options));
    std::printf(
        "{\"kind\":\"app\",\"app\":\"%s\",\"ranks\":%d,\"threads\":%d,\"size\":%ld,"
        "\"steps\":%ld,\"ns\":%.0f,\"checksum\":\"%016lx\"}\n",
        App::kName, ranks, threads, options.size, options.steps, ns, sum);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace bench
