// parameters.hpp: the numbers of the model, each with its limits and its source, in one table.
//
// They were fixed before any loop ran, and none was changed for a result.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "plat/sim/costs.hpp"

namespace loops {

// Times in nanoseconds, rates in GB/s (bytes in a nanosecond), sizes in bytes unless said otherwise.
struct Parameters {
  // The machine.
  double cores, group, package, share;  // cores in all, of a cache group, of a package; see `share`
  double ghz, fixed_ghz, speed, two, four, spread;
  double hit, own, near_line, far_line, overlap, keeps, claim, fork;
  double l3, local, remote, misses;
  double core_rate, group_rate, node_rate, link_rate, cache_rate, loss, cache;
  // The programs.
  double uniform_trip, exponential_trip, operation;
  double tri_base, tri_unit, tri_bytes;
  double scan, scan_bytes, edge, advance;
  double distance, pair, column, column_bytes, block, block_bytes;
  double homes;

  vicino::sim::Costs costs(uint32_t members_per_core) const;
  double cycles(double count) const { return count / (ghz * speed); }
};

struct Row {
  std::string_view machine;  // empty: all
  std::string_view name;
  double Parameters::* member;
  double value, low, high;
  std::string_view unit, meaning, source;
};

std::span<const Row> table();

struct Machine {
  std::string_view name, title;
};
std::span<const Machine> machines();

enum class Bound { kValue, kLow, kHigh };
Parameters parameters_of(std::string_view machine, Bound bound);

// "NAME=VALUE", "NAME=low" or "NAME=high". An error names what is wrong.
vicino::Result<bool> set(Parameters& parameters, std::string_view machine,
                         std::string_view assignment);

}  // namespace loops
