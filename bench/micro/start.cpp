// start.cpp: a program with one empty region, or with none: the cost of loading and starting.
//
//     start region|none        the driver times the whole process
//     start ask|first          prints how many µs the first question or the first region takes
//     start check RUNTIME      only checks and prints the runtime that it runs on
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <string_view>

#include "identity.hpp"

namespace {

template <class Step>
int print_time(Step step) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = step();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  printf("%.3f\n", took.count());
  return threads > 0 ? 0 : bench::kWrongTeam;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "check")
    bench::identify(argc > 2 ? argv[2] : nullptr, bench::team_size());
  else if (mode == "region")
    return bench::team_size() > 0 ? 0 : bench::kWrongTeam;
  else if (mode == "ask")
    return print_time([] { return omp_get_max_threads(); });
  else if (mode == "first")
    return print_time(bench::team_size);
  else if (mode != "none")
    return 2;
}
