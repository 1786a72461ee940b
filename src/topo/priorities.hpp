// priorities.hpp: which cores are best to compute on, from the shape of the machine alone, and the
// order in which a program's threads take them.
//
// Why    The first thread touches most of the shared data. On a machine whose nodes are several
//        hops apart it should run in the middle, and the other threads around it.
// Cost   quadratic in cores, once; 4096 cores take a fraction of a second.
// Not    for a busy machine: only its shape counts, never its load.
// See    Tahan: "Towards Efficient OpenMP Strategies for Non-Uniform Architectures" (2014),
//        section IV; docs/explain/machine.md shows the terms of a machine.
//
// For a core c among the cores that the caller allows, with d(c, o) the distance to another core o:
//
//  base   the number of cores on the node of c, with c
//  alpha  the weight of each existing distance d: (max d - d + 1) / S, where S is the sum of those
//         numerators. Weights are positive, strictly decreasing, and add up to 1 whatever the
//         matrix is
//  V1     sum over the other cores o of alpha(d(c, o))
//  V2     sum over the other cores o of alpha(d(c, o)) * (base(o) + V1(o))
//  final  base + V1 + V2
//
// The paper leaves some points open; they are settled here as follows:
//  - alpha: the paper asks only that nearer cores weigh more.
//  - base: the paper asks only that it grows with the cores of a node.
//  - distances are those of the nodes where the machine tells them. Where it does not, or has only
//    one node, a distance is the number of levels that two cores do not share, of cache group, node
//    and package: 0 to 3. That needs no order of levels, which differs between machines.
//  - a core does not count itself in V1 and V2.
//
// Ties   All terms are whole numbers over S and S^2. Cores that are alike have equal numerators, in
//        whatever order they are summed and with any compiler; doubles would break ties by their
//        last bit, differently from build to build.
//
// Invariants (check())
//  P1 all    every allowed core has one entry, in order of index.
//  P2 near   the weights are positive and decrease with distance.
//  P3 sums   every final term is the sum of the other three.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

struct CorePriority {
  int core;  // index into domains(Level::kCore)
  // Numerators, over 1, S, S^2 and S^2.
  int64_t base;
  int64_t v1;
  int64_t v2;
  int64_t final;
};

struct Weight {
  unsigned distance;
  int64_t numerator;  // over S
};

class Priorities {
 public:
  // A core is allowed if one of its threads is; CPUs that the machine does not have do not count.
  Priorities(const Machine& machine, const CpuSet& allowed);

  std::span<const CorePriority> cores() const noexcept { return cores_; }
  std::span<const Weight> weights() const noexcept { return weights_; }  // nearest first
  int64_t denominator() const noexcept { return denominator_; }          // S
  // Whether distances are counted in levels, because there is no usable matrix.
  bool by_levels() const noexcept { return by_levels_; }

  // Cores in the order in which threads take them: first the core of highest priority, then always
  // the free core nearest to that first one. Among equally near cores, those that share more levels
  // with the first come first, then the higher priority, then the lower index. The paper draws lots
  // where the index decides here: so does a seed, and equal seeds give equal orders.
  std::vector<int> order(std::optional<uint64_t> seed = std::nullopt) const;

  bool check() const;

 private:
  unsigned distance(int core_a, int core_b) const noexcept;
  unsigned levels_apart(int core_a, int core_b) const noexcept;
  const Pu& first_of(int core) const noexcept;
  int64_t weight_of(unsigned distance) const noexcept { return farthest_ - distance + 1; }
  void weigh();
  void rate();

  const Machine* machine_;
  bool by_levels_;
  int64_t farthest_ = 0;
  int64_t denominator_ = 1;
  std::vector<CorePriority> cores_;
  std::vector<Weight> weights_;
};

// Returns Priorities(machine, allowed).order(seed), which is empty if no core is allowed.
std::vector<int> priority_order(const Machine& machine, const CpuSet& allowed,
                                std::optional<uint64_t> seed = std::nullopt);

// Text for people: the weights, a row for each core, and the order.
std::string describe_priorities(const Machine& machine, const Priorities& priorities);

}  // namespace vicino::topo
