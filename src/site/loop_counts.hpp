// loop_counts.hpp: what loops and taskloops did, by call site, as VICINO_STATS prints it.
#pragma once

#include <stdio.h>

#include <string>
#include <vector>

#include "site/loop_record.hpp"

namespace vicino::site {

struct CountedLoop {
  std::string where;
  LoopRecord* record;
};

// The loops that ran, sorted by name. The caller does not hold the Cold lock, which describe()
// takes.
std::vector<CountedLoop> loop_counts();
void print_loops_table(FILE* out, const std::vector<CountedLoop>& loops);
// "loops": [...]
void print_loops_json(FILE* out, const std::vector<CountedLoop>& loops);

}  // namespace vicino::site
