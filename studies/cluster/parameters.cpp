#include "parameters.hpp"

#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "base/quote.hpp"

namespace cluster {
namespace {

using P = Parameters;

// Sources: "measured" is a measurement that others published; "data sheet" needs no comment;
// "assumed" is an estimate, whose limits say how sure it is.
constexpr auto kTable = std::to_array<Row>({
    {"sigma", &P::sigma, 0.1337, 0.107, 0.161, "", "spread of a core's slowness in a step",
     "calibrated: uSched + 25.52 % over static on 1024 nodes, n-body", true},
    {"lasting", &P::lasting, 1, 1, 10, "steps", "for how long a core has the same slowness",
     "assumed: the paper says nothing of it"},
    {"clustering", &P::clustering, 0.04, 0, 0.1, "",
     "n-body: how much more than the mean the fullest of 16 equal blocks has to do",
     "assumed: small, since in the paper dynamic gains little on few nodes"},
    {"ranks", &P::ranks, 0, 0, 0.1, "",
     "how much more or less than the mean a node has to do in all steps, at most",
     "assumed: the programs balance their domains"},
    {"nbody-cache", &P::nbody_cache, 0.05, 0.02, 0.1, "",
     "n-body: part of an iteration's time for data in the core's caches",
     "assumed: a walk through a tree computes most of the time"},
    {"nbody-memory", &P::nbody_memory, 0, 0, 0.1, "",
     "n-body: part of an iteration's time for data in memory", "assumed: bodies fit in caches"},
    {"snap-cache", &P::snap_cache, 0.02, 0.01, 0.05, "",
     "SNAP: part of an iteration's time for data in the core's caches", "assumed"},
    {"snap-memory", &P::snap_memory, 0.5, 0.3, 0.7, "",
     "SNAP: part of an iteration's time for data in memory",
     "assumed: a sweep streams through its fluxes"},
    {"nbody-iteration", &P::nbody_iteration, 10'000, 3'000, 30'000, "ns",
     "n-body: an iteration, of 4096 for each node", "assumed: one body against a tree"},
    {"snap-iteration", &P::snap_iteration, 8'000, 3'000, 30'000, "ns",
     "SNAP: an iteration, of 2048 for each node", "assumed: one cell's angles and groups"},
    {"own", &P::own, 7, 5, 10, "ns", "an atomic update of a line that only this core has",
     "measured: some 20 cycles for a locked instruction"},
    {"hit", &P::hit, 1.4, 1, 2, "ns", "a load from the core's own cache", "data sheet: 4 cycles"},
    {"near-line", &P::near_line, 37, 30, 50, "ns", "a line from another core of the package",
     "measured: 2 x X5570"},
    {"far-line", &P::far_line, 74, 60, 110, "ns", "a line from a core of the other package",
     "measured: 2 x X5570"},
    {"clock", &P::clock, 8, 5, 25, "ns", "a reading of the clock", "measured: 24 cycles for rdtsc"},
    {"l3", &P::l3, 13, 11, 16, "ns", "a load from the package's last cache",
     "data sheet: 38 to 45 cycles"},
    {"local", &P::local, 81, 75, 90, "ns", "a load from memory of the own package",
     "measured: 2 x X5570"},
    {"remote", &P::remote, 113, 106, 120, "ns", "a load from memory of the other package",
     "recalled: 2 x X5570, 106 to 120"},
    {"fork", &P::fork, 150, 75, 500, "ns", "from a member to those that it calls into the loop",
     "assumed: two lines, and a poll"},
    {"alpha", &P::alpha, 1'500, 1'000, 5'000, "ns", "a message between nodes without its bytes",
     "recalled: QDR InfiniBand"},
    {"bandwidth", &P::bandwidth, 3.2, 1, 6, "GB/s", "of a message", "recalled: QDR InfiniBand"},
    {"nbody-halo", &P::nbody_halo, 65'536, 16'384, 262'144, "B",
     "n-body: to each of 6 neighbours in a step", "assumed"},
    {"snap-halo", &P::snap_halo, 16'384, 4'096, 65'536, "B",
     "SNAP: to each of 4 neighbours in a step", "assumed"},
});

}  // namespace

vicino::sim::Costs Parameters::costs() const {
  vicino::sim::Costs costs;
  using vicino::sim::picoseconds;
  costs.own = picoseconds(own);
  costs.hit = picoseconds(hit);
  costs.near_line = picoseconds(near_line);
  costs.far_line = picoseconds(far_line);
  costs.clock = picoseconds(clock);
  return costs;
}

std::span<const Row> table() { return kTable; }

Parameters defaults() {
  Parameters parameters{};
  for (const Row& row : kTable) parameters.*row.member = row.value;
  return parameters;
}

vicino::Result<bool> set(Parameters& parameters, std::string_view assignment) {
  const auto equals = std::min(assignment.find('='), assignment.size());
  const std::string_view name = assignment.substr(0, equals);
  const auto row = std::ranges::find(kTable, name, &Row::name);
  if (row == kTable.end()) {
    std::string known;
    for (const Row& each : kTable) known += (known.empty() ? "" : ", ") + std::string(each.name);
    return vicino::Error{"no parameter " + vicino::quoted(name) + "; known: " + known};
  }
  const std::string_view value = assignment.substr(std::min(equals + 1, assignment.size()));
  const auto number = value == "low"    ? std::optional(row->low)
                      : value == "high" ? std::optional(row->high)
                                        : vicino::parse_decimal(value);
  // A part of 1 may be 0, a duration or a rate may not.
  const bool is_part = row->unit.empty();
  if (!number || *number < 0 || (!is_part && *number == 0) || *number > (is_part ? 1 : 1e9))
    return vicino::Error{"the parameter " + std::string(name) + " takes low, high or a number " +
                         (is_part ? "from 0 to 1" : "above 0, up to 10^9") + ", not " +
                         vicino::quoted(value)};
  parameters.*row->member = *number;
  return true;
}

}  // namespace cluster
