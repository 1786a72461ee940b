// node.hpp: one node of the cluster: its loop, executed step by step by the real schedulers.
//
// Rules
//  C1 core m is slower than the mean by the factor 1 + sigma z in a step, where z is normal and
//     depends on the seed, the node, the step and m alone: all strategies meet the same noise. It stays for so many steps
//     as the parameter `lasting` says; cores change at different steps.
//  C2 an iteration that another core ran in the last step costs more: its data come from that
//     core's cache. Before the first step a static loop has touched them.
//  C3 an iteration also costs more if it is run in another package than where a static loop would
//     run it, since such a loop touched its pages first.
//  C4 members begin one after the other, in a tree; the loop ends with a barrier, in a tree.
#pragma once

#include <array>
#include <vector>

#include "loop_run.hpp"
#include "strategy.hpp"
#include "workload.hpp"

namespace cluster {

// A schedule's memory of the call site, in lines that begin where lines begin on each machine.
struct alignas(vicino::kLine) HistoryLine {
  static constexpr size_t kWords = vicino::kLine / sizeof(uint64_t);
  std::array<vicino::plat::atomic<uint64_t>, kWords> words;
};

class Node {
 public:
  Node(uint32_t number, const Workload& workload, const Parameters& parameters,
       const Strategy& strategy, uint64_t seed);

  // What simulates nodes, one after the other.
  struct Machine {
    explicit Machine(const Parameters& parameters);
    vicino::sim::Team team;
    LoopRun run;
    vicino::loop::Shape shape;  // member m is bound to core m
  };

  // How long the next step's loop takes. `slack`: of the step before.
  Time step(Machine& machine, Time slack);

  // The static fraction that the next step would have; NaN if the schedule has none.
  double fraction() const;
  // Of all iterations so far: which part was run by another core than in the step before.
  double moved() const;

 private:
  using Factors = std::array<uint64_t, 6>;
  void execute(vicino::sim::Team& team, vicino::loop::Range range, const Factors& factors);
  Factors factors(uint32_t member) const;
  vicino::loop::History history();

  const Parameters& parameters_;
  const vicino::loop::Row& row_;
  Iterations iterations_;
  double cache_, memory_;
  bool heeds_slack_;
  uint64_t seed_;
  uint32_t number_, steps_ = 0;
  Time last_loop_ = 0;
  std::vector<HistoryLine> lines_;
  size_t words_;
  std::vector<uint8_t> last_;  // the core that ran each iteration
  uint64_t executed_ = 0, moved_ = 0;
};

}  // namespace cluster
