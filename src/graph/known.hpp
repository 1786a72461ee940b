// known.hpp: what a Grain has found out about one body on one number of threads, in a form that
// outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tune/estimate.hpp"

namespace vicino::graph {

// All times are of whole runs, in nanoseconds.
struct Known {
  struct Tried {
    std::string text;        // the coarse string
    tune::Estimate ns = {};  // without samples: not tried yet
    bool beaten = false;     // start_from() finds out again
  };
  double alone_ns = 0;  // by one thread; above 0
  // The first is one thread alone, whatever its text. What was ruled out is left out.
  std::vector<Tried> tried;
  uint32_t best = 0;     // among them
  bool settled = false;  // a race is over; if not, the first one is under way
  uint64_t races = 0;    // after the first
};

// What was seen of it in this process.
struct Seen {
  uint64_t runs = 0, settled_runs = 0;  // that came to their end; without a race meanwhile
  uint64_t races = 0;                   // after the first
  double total_ns = 0, lost_ns = 0;     // all runs; what was lost by trying
  bool remembered = false;              // all that is known was given to start_from()
};

}  // namespace vicino::graph
