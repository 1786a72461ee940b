// start.cpp: a program with one empty region, or with none: what loading and starting costs.
//
//     start region|none        the driver times the whole process
//     start check RUNTIME      only says what it runs on
#include <omp.h>

#include <cstdio>
#include <string_view>

#include "identity.hpp"

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "check")
    bench::identify(argc > 2 ? argv[2] : nullptr, bench::team_size());
  else if (mode == "region")
    return bench::team_size() > 0 ? 0 : bench::kWrongTeam;
  else if (mode != "none")
    return 2;
}
