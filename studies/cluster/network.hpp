// network.hpp: nodes joined by messages: when each rank goes on, and how long it waited.
//
// Rules
//  N1 a rank ends its halo exchange when it and its neighbours have ended their loops, and alpha +
//     bytes / bandwidth later. Neighbours are those in a periodic grid, as near to a cube or a
//     square as the number of nodes allows.
//  N2 an allreduce of 8 bytes ends for all ranks when the last has come to it, and ceil(log2 N)
//     messages later.
//  N3 a rank's slack is what it waited for others: the messages' own time is not slack.
//  N4 one node sends nothing.
#pragma once

#include <span>
#include <vector>

#include "workload.hpp"

namespace cluster {

std::vector<uint32_t> grid(uint32_t nodes, uint32_t dimensions);
// The neighbours of a node in the grid, each once, without the node.
std::vector<uint32_t> neighbours(uint32_t node, std::span<const uint32_t> grid);

class Network {
 public:
  using Time = vicino::sim::Time;

  Network(uint32_t nodes, const Workload& workload, const Parameters& parameters);

  // loops: how long each node's loop takes in this step, by node.
  void step(std::span<const Time> loops);

  // When the last rank is ready for the next step.
  Time now() const;
  // In the last step, by node.
  std::span<const Time> slack() const { return slack_; }

 private:
  Time message(double bytes) const;

  double alpha_, bandwidth_;
  uint64_t halo_;
  uint32_t reduces_every_, steps_ = 0, levels_;
  std::vector<std::vector<uint32_t>> neighbours_;
  std::vector<Time> ready_, ended_, slack_;
};

}  // namespace cluster
