// parameters.hpp: the numbers of the model, each with its limits and its source, in one table.
//
// The command's options, its help, and the page's table come from the table. Only what is marked as
// calibration may be fitted to the paper, and only to the one figure that it names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "plat/sim/costs.hpp"

namespace cluster {

// Times in nanoseconds, rates in GB/s, all others as parts of 1 unless said otherwise.
struct Parameters {
  double sigma, lasting, clustering, ranks;
  double nbody_cache, nbody_memory, snap_cache, snap_memory;
  double nbody_iteration, snap_iteration;
  double own, hit, near_line, far_line, clock, l3, local, remote;
  double fork, alpha, bandwidth, nbody_halo, snap_halo;

  vicino::sim::Costs costs() const;
  // What an iteration costs more when its data are not in the core's own caches, as a part of its
  // time: they come from another core's cache, in the same package or not.
  double from_near_cache(double cache) const { return cache * (near_line / l3 - 1); }
  double from_far_cache(double cache) const { return cache * (far_line / l3 - 1); }
  // And when they are in the memory of the other package.
  double from_far_memory(double memory) const { return memory * (remote / local - 1); }
};

struct Row {
  std::string_view name;
  double Parameters::* member;
  double value, low, high;
  std::string_view unit, meaning, source;
  bool calibrated = false;
};

std::span<const Row> table();
Parameters defaults();

// "NAME=VALUE", "NAME=low" or "NAME=high". An error names what is wrong.
vicino::Result<bool> set(Parameters& parameters, std::string_view assignment);

}  // namespace cluster
