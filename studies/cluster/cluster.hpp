// cluster.hpp: many nodes, step by step.
//
// Within a step nodes are simulated one by one, on as many threads of the host as asked for; then
// the network joins them. A node's result depends on its number, the seed and its slack alone, so
// the host's threads change nothing.
#pragma once

#include <span>
#include <vector>

#include "network.hpp"
#include "node.hpp"

namespace cluster {

struct Scale {
  std::vector<uint32_t> nodes;      // the sizes of the clusters that are tried
  uint32_t warm = 20, steps = 100;  // steps that are not counted, and that are
  uint64_t seed = 1;
  uint32_t threads = 1;  // of the host
};

struct Outcome {
  uint32_t nodes;
  double step;      // mean time of a step, nanoseconds
  double slack;     // mean slack of a rank, as a part of its step
  double fraction;  // mean static fraction in the end; NaN if there is none
  double moved;     // part of the iterations that another core ran in the step before
};

// One outcome for each number of nodes.
std::vector<Outcome> simulate(const Strategy& strategy, const Workload& workload,
                              const Parameters& parameters, const Scale& scale);

}  // namespace cluster
