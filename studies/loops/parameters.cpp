#include "parameters.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/decimal.hpp"
#include "base/quote.hpp"

namespace loops {
namespace {

using P = Parameters;

constexpr auto kMachines = std::to_array<Machine>({
    {"epyc", "EPYC 7713"},
    {"xeon", "two Xeon 8160"},
    {"knl", "Xeon Phi 7250"},
});

// S: seen in a source or measured by others; D: derived; U: recalled; A: assumed, and the limits say how
// sure that is. "paper" is Booth and Lane, 2024.
constexpr auto kTable = std::to_array<Row>({
    {"epyc", "cores", &P::cores, 64, 64, 64, "", "cores", "paper: one socket"},
    {"epyc", "group", &P::group, 8, 8, 8, "", "cores that share a cache", "paper"},
    {"epyc", "package", &P::package, 64, 64, 64, "", "cores of a package", "paper: socket 0 only"},
    {"epyc", "share", &P::share, 8, 8, 8, "", "cores of a cache group as schedules see it",
     "paper"},
    {"epyc", "ghz", &P::ghz, 3.0, 2.0, 3.67, "GHz", "clock", "S: base 2.0, boost 3.67"},
    {"epyc", "fixed-ghz", &P::fixed_ghz, 2.0, 2.0, 2.0, "GHz", "clock that does not change",
     "paper"},
    {"epyc", "speed", &P::speed, 1, 1, 1, "", "work in a cycle", "the unit"},
    {"epyc", "two", &P::two, 1.25, 1.1, 1.4, "", "work of a core with two threads", "A"},
    {"epyc", "four", &P::four, 1.25, 1.1, 1.4, "", "work of a core with four", "it has two"},
    {"epyc", "spread", &P::spread, 0.03, 0, 0.06, "", "spread of the cores' clocks",
     "A: they boost each by itself"},
    {"epyc", "hit", &P::hit, 1.3, 1.1, 2, "ns", "a load from the own cache",
     "data sheet: 4 cycles"},
    {"epyc", "own", &P::own, 6, 2.7, 8.3, "ns", "an atomic update of an own line",
     "U: 8 to 25 cycles"},
    {"epyc", "near-line", &P::near_line, 26, 24, 28, "ns", "a line from the cache group",
     "S: EPYC 7773X"},
    {"epyc", "far-line", &P::far_line, 117, 87, 140, "ns", "a line from elsewhere",
     "S: EPYC 7773X"},
    {"epyc", "overlap", &P::overlap, 24, 16, 24, "lines", "loads of lines at once", "U"},
    {"epyc", "keeps", &P::keeps, 1, 0, 1, "",
     "1: a failed compare-and-swap is repeated before the line leaves (T9)",
     "U: David et al., SOSP 2013: counters by compare-and-swap are 2 to 3 times as slow as by "
     "addition"},
    {"epyc", "claim", &P::claim, 5, 2, 15, "ns", "a claim without its atomics",
     "A: some instructions and a call"},
    {"epyc", "fork", &P::fork, 150, 75, 500, "ns", "from a member to those that it calls",
     "A: two lines and a poll"},
    {"epyc", "l3", &P::l3, 15, 13, 18, "ns", "a load from the group's cache", "U: 39 to 54 cycles"},
    {"epyc", "local", &P::local, 120, 115, 125, "ns", "a load from memory", "U"},
    {"epyc", "remote", &P::remote, 120, 115, 125, "ns", "a load from the other package",
     "one package"},
    {"epyc", "misses", &P::misses, 8, 4, 16, "lines", "random misses at once",
     "A: a branch after each"},
    {"epyc", "core-rate", &P::core_rate, 25, 17, 26, "GB/s", "a core streams",
     "U: 48 lines at 120 ns"},
    {"epyc", "group-rate", &P::group_rate, 50, 40, 55, "GB/s", "a cache group",
     "U: link of a chiplet"},
    {"epyc", "node-rate", &P::node_rate, 170, 150, 180, "GB/s", "a node's memory",
     "S: 330 to 350 for two packages"},
    {"epyc", "link-rate", &P::link_rate, 1e6, 1e6, 1e6, "GB/s", "between packages", "one package"},
    {"epyc", "cache-rate", &P::cache_rate, 60, 40, 80, "GB/s", "a core from the group's cache",
     "U"},
    {"epyc", "loss", &P::loss, 0.006, 0, 0.012, "", "capacity lost by each requester too many",
     "S: Zen 2"},
    {"epyc", "cache", &P::cache, 32e6, 32e6, 36e6, "B", "a group's cache",
     "data sheet; high: with the L2s"},

    {"xeon", "cores", &P::cores, 48, 48, 48, "", "cores", "paper"},
    {"xeon", "group", &P::group, 24, 24, 24, "", "cores that share a cache", "paper"},
    {"xeon", "package", &P::package, 24, 24, 24, "", "cores of a package", "paper"},
    {"xeon", "share", &P::share, 24, 24, 24, "", "cores of a cache group as schedules see it",
     "paper"},
    {"xeon", "ghz", &P::ghz, 2.8, 2.1, 2.8, "GHz", "clock", "S: base 2.1; U: 2.8 on all cores"},
    {"xeon", "fixed-ghz", &P::fixed_ghz, 2.1, 2.1, 2.1, "GHz", "clock that does not change",
     "base"},
    {"xeon", "speed", &P::speed, 0.9, 0.8, 1, "", "work in a cycle", "A: Skylake to Zen 3"},
    {"xeon", "two", &P::two, 1.25, 1.1, 1.4, "", "work of a core with two threads", "A"},
    {"xeon", "four", &P::four, 1.25, 1.1, 1.4, "", "work of a core with four", "it has two"},
    {"xeon", "spread", &P::spread, 0.02, 0, 0.04, "", "spread of the cores' clocks", "A"},
    {"xeon", "hit", &P::hit, 1.4, 1.2, 2, "ns", "a load from the own cache",
     "data sheet: 4 cycles"},
    {"xeon", "own", &P::own, 7, 6, 9, "ns", "an atomic update of an own line",
     "U: 18 to 25 cycles"},
    {"xeon", "near-line", &P::near_line, 50, 45, 55, "ns", "a line from the cache group", "S"},
    {"xeon", "far-line", &P::far_line, 127, 114, 141, "ns", "a line from elsewhere", "S"},
    {"xeon", "overlap", &P::overlap, 12, 10, 16, "lines", "loads of lines at once",
     "U: 10 to 16 line buffers"},
    {"xeon", "keeps", &P::keeps, 1, 0, 1, "",
     "1: a failed compare-and-swap is repeated before the line leaves (T9)",
     "U: David et al., SOSP 2013: counters by compare-and-swap are 2 to 3 times as slow as by "
     "addition"},
    {"xeon", "claim", &P::claim, 5, 2, 15, "ns", "a claim without its atomics",
     "A: some instructions and a call"},
    {"xeon", "fork", &P::fork, 150, 75, 500, "ns", "from a member to those that it calls",
     "A: two lines and a poll"},
    {"xeon", "l3", &P::l3, 20, 18, 25, "ns", "a load from the group's cache", "U: 50 to 70 cycles"},
    {"xeon", "local", &P::local, 90, 80, 95, "ns", "a load from memory", "S"},
    {"xeon", "remote", &P::remote, 144, 138, 150, "ns", "a load from the other package", "S"},
    {"xeon", "misses", &P::misses, 8, 4, 12, "lines", "random misses at once",
     "A: a branch after each"},
    {"xeon", "core-rate", &P::core_rate, 10.9, 10, 12, "GB/s", "a core streams", "S: Xeon 8174"},
    {"xeon", "group-rate", &P::group_rate, 1e6, 1e6, 1e6, "GB/s", "a cache group",
     "one in a package"},
    {"xeon", "node-rate", &P::node_rate, 120, 115, 123, "GB/s", "a node's memory", "S: Xeon 8174"},
    {"xeon", "link-rate", &P::link_rate, 34.3, 30, 38, "GB/s", "between packages, a direction",
     "S: Xeon 8174"},
    {"xeon", "cache-rate", &P::cache_rate, 25, 18, 35, "GB/s", "a core from the group's cache",
     "U"},
    {"xeon", "loss", &P::loss, 0.003, 0.0014, 0.0044, "",
     "capacity lost by each requester too many", "S: Skylake"},
    {"xeon", "cache", &P::cache, 33e6, 33e6, 57e6, "B", "a group's cache",
     "paper; high: with the L2s"},

    {"knl", "cores", &P::cores, 68, 68, 68, "", "cores", "paper"},
    {"knl", "group", &P::group, 2, 2, 2, "", "cores that share a cache", "paper: tiles"},
    {"knl", "package", &P::package, 68, 68, 68, "", "cores of a package", "paper"},
    {"knl", "share", &P::share, 68, 68, 68, "", "cores of a cache group as schedules see it",
     "paper: MCDRAM as an L3, four threads for a deque"},
    {"knl", "ghz", &P::ghz, 1.4, 1.4, 1.6, "GHz", "clock", "paper; high: boost"},
    {"knl", "fixed-ghz", &P::fixed_ghz, 1.4, 1.4, 1.4, "GHz", "clock that does not change",
     "paper"},
    {"knl", "speed", &P::speed, 0.4, 0.3, 0.6, "", "work in a cycle", "A: two narrow issue ports"},
    {"knl", "two", &P::two, 1.3, 1.1, 1.5, "", "work of a core with two threads", "A"},
    {"knl", "four", &P::four, 1.5, 1.2, 1.8, "", "work of a core with four", "A"},
    {"knl", "spread", &P::spread, 0.01, 0, 0.03, "", "spread of the cores' clocks",
     "A: it hardly boosts"},
    {"knl", "hit", &P::hit, 2.9, 2.5, 4, "ns", "a load from the own cache", "data sheet: 4 cycles"},
    {"knl", "own", &P::own, 17, 13, 25, "ns", "an atomic update of an own line", "D: 24 cycles"},
    {"knl", "near-line", &P::near_line, 41, 37, 45, "ns", "a line from the tile", "S"},
    {"knl", "far-line", &P::far_line, 91, 82, 100, "ns", "a line from elsewhere", "S"},
    {"knl", "overlap", &P::overlap, 12, 8, 12, "lines", "loads of lines at once",
     "U: 12 line buffers"},
    {"knl", "keeps", &P::keeps, 1, 0, 1, "",
     "1: a failed compare-and-swap is repeated before the line leaves (T9)",
     "U: David et al., SOSP 2013: counters by compare-and-swap are 2 to 3 times as slow as by "
     "addition"},
    {"knl", "claim", &P::claim, 20, 8, 40, "ns", "a claim without its atomics",
     "A: as the others', on a slower core"},
    {"knl", "fork", &P::fork, 300, 150, 1000, "ns", "from a member to those that it calls",
     "A: two lines and a poll"},
    {"knl", "l3", &P::l3, 17, 14, 20, "ns", "a load from the tile's cache", "U"},
    {"knl", "local", &P::local, 150, 140, 170, "ns", "a load from MCDRAM", "U"},
    {"knl", "remote", &P::remote, 150, 140, 170, "ns", "a load from the other package",
     "one package"},
    {"knl", "misses", &P::misses, 6, 3, 12, "lines", "random misses at once",
     "A: a branch after each, a small window"},
    {"knl", "core-rate", &P::core_rate, 8, 5, 12, "GB/s", "a core streams",
     "D: 12 lines at 150 ns are 5.1; a prefetcher adds"},
    {"knl", "group-rate", &P::group_rate, 1e6, 1e6, 1e6, "GB/s", "a cache group",
     "the mesh is wider"},
    {"knl", "node-rate", &P::node_rate, 350, 300, 480, "GB/s", "MCDRAM as a cache",
     "S: 480 as memory; A: less as a cache"},
    {"knl", "link-rate", &P::link_rate, 1e6, 1e6, 1e6, "GB/s", "between packages", "one package"},
    {"knl", "cache-rate", &P::cache_rate, 15, 10, 20, "GB/s", "a core from the tile's cache", "U"},
    {"knl", "loss", &P::loss, 0.002, 0, 0.006, "", "capacity lost by each requester too many", "A"},
    {"knl", "cache", &P::cache, 1e6, 1e6, 1e6, "B", "a tile's cache", "paper"},

    {"", "uniform-trip", &P::uniform_trip, 16'777'216, 1'000'000, 16'777'216, "",
     "iterations of Syn Uni", "A: as many as BFS has; the paper gives none"},
    {"", "exponential-trip", &P::exponential_trip, 22'026, 11'013, 22'026, "",
     "iterations of Syn Exp",
     "D: a range of ten means, as in table 1, takes e^10; or half of that, if lengths are "
     "quantiles"},
    {"", "operation", &P::operation, 1, 0.5, 2, "cycles", "an integer operation of Syn", "A"},
    {"", "tri-base", &P::tri_base, 60, 30, 200, "cycles", "Tri: a row", "A"},
    {"", "tri-unit", &P::tri_unit, 40, 15, 120, "cycles", "Tri: a nonzero of a row",
     "A: merged and inserted"},
    {"", "tri-bytes", &P::tri_bytes, 16, 8, 32, "B", "Tri: of a nonzero",
     "A: an index and a value, read and written"},
    {"", "scan", &P::scan, 2, 1, 4, "cycles", "BFS: to look at a vertex", "A"},
    {"", "scan-bytes", &P::scan_bytes, 2, 1, 3, "B", "BFS: read or written at each vertex",
     "D: two arrays of bytes"},
    {"", "edge", &P::edge, 6, 3, 12, "cycles", "BFS: an edge without its misses", "A"},
    {"", "advance", &P::advance, 20, 10, 40, "cycles", "BFS: a vertex that is reached",
     "A: a wrong prediction"},
    {"", "distance", &P::distance, 136, 34, 272, "cycles", "Kmeans: a point's distance to a centre",
     "D: 34 features, 4 cycles for each sum; low: vectors"},
    {"", "pair", &P::pair, 50, 20, 100, "cycles", "LavaMD: a pair of particles",
     "A: exp and a force"},
    {"", "column", &P::column, 5, 2, 8, "cycles", "Path: a column", "A: two minima and a sum"},
    {"", "column-bytes", &P::column_bytes, 16, 12, 16, "B", "Path: of a column",
     "D: two arrays read, one written, which is read first"},
    {"", "block", &P::block, 4096, 2048, 12'288, "cycles", "LUD: a product of blocks of 16 x 16",
     "D: one cycle for a multiplication and a sum"},
    {"", "block-bytes", &P::block_bytes, 2048, 2048, 2048, "B", "LUD: of a block, read and written",
     "D"},
    {"", "homes", &P::homes, 0, 0, 1, "",
     "0: all data on the first node; 1: where a static loop touches them",
     "D: Rodinia's programs fill their arrays by one thread"},
});

const Row* find(std::string_view machine, std::string_view name) {
  const auto row = std::ranges::find_if(kTable, [&](const Row& each) {
    return each.name == name && (each.machine.empty() || each.machine == machine);
  });
  return row == kTable.end() ? nullptr : &*row;
}

}  // namespace

vicino::sim::Costs Parameters::costs(uint32_t members_per_core) const {
  vicino::sim::Costs costs;
  using vicino::sim::picoseconds;
  costs.cores_per_package = static_cast<uint32_t>(group);
  costs.members_per_core = members_per_core;
  costs.overlap = static_cast<uint32_t>(overlap);
  costs.keeps_line = keeps != 0;
  costs.hit = picoseconds(hit);
  costs.own = picoseconds(own);
  costs.near_line = picoseconds(near_line);
  costs.far_line = picoseconds(far_line);
  return costs;
}

std::span<const Row> table() { return kTable; }
std::span<const Machine> machines() { return kMachines; }

Parameters parameters_of(std::string_view machine, Bound bound) {
  Parameters parameters{};
  for (const Row& row : kTable)
    if (row.machine.empty() || row.machine == machine)
      parameters.*row.member = bound == Bound::kLow    ? row.low
                               : bound == Bound::kHigh ? row.high
                                                       : row.value;
  return parameters;
}

vicino::Result<bool> set(Parameters& parameters, std::string_view machine,
                         std::string_view assignment) {
  const auto equals = std::min(assignment.find('='), assignment.size());
  const std::string_view name = assignment.substr(0, equals);
  const Row* const row = find(machine, name);
  if (row == nullptr) {
    std::string known;
    for (const Row& each : kTable)
      if (each.machine.empty() || each.machine == machine)
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    return vicino::Error{"no parameter " + vicino::quoted(name) + "; known: " + known};
  }
  const std::string_view value = assignment.substr(std::min(equals + 1, assignment.size()));
  const auto number = value == "low"    ? std::optional(row->low)
                      : value == "high" ? std::optional(row->high)
                                        : vicino::parse_decimal(value);
  // A part of 1 may be 0, whatever is divided by may not.
  const bool may_be_zero = row->low == 0;
  if (!number || *number < 0 || (!may_be_zero && *number == 0) || *number > 1e9)
    return vicino::Error{"the parameter " + std::string(name) + " takes low, high or a number " +
                         (may_be_zero ? "from 0" : "above 0, up") + " to 10^9, not " +
                         vicino::quoted(value)};
  parameters.*row->member = *number;
  return true;
}

}  // namespace loops
