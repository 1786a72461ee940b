// hw_subset.hpp: a part of the machine, as KMP_HW_SUBSET describes it: units of each layer from the top down.
//
//   2s,4c,2t        two packages, four cores of each, two threads of each core
//   4c:eff0,5c:eff1 four cores of one kind and five of another, of each package
//   *c@3            all cores of each package but the first three
//   :2s,6t          with a colon before it: six threads of each package, whatever their cores
//
// A unit is s (package), n (NUMA node), ll (threads that share the last level of cache), c or t. Packages that are not
// named all count, and threads are those of a core unless a colon says that only the named layers count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "topo/machine.hpp"

namespace vicino::topo {

// Which cores of a layer are meant.
enum class CoreKind { kAny, kNumber, kLeast, kMost };

struct HwUnits {
  static constexpr int kAll = -1;
  Level level;
  int count = kAll;
  int skipped = 0;
  CoreKind kind = CoreKind::kAny;
  int number = 0;       // of kNumber: 0 is the least powerful kind
  std::string written;  // for messages
};

// Layers from the top down; several entries of one level differ in their kind of core.
using HwSubset = std::vector<HwUnits>;

Result<HwSubset> parse_hw_subset(std::string_view text);

// The CPUs of the machine that the subset leaves; an error if it asks for more than there is.
Result<CpuSet> select(const HwSubset& subset, const Machine& machine);

// The hardware with these CPUs only, of which there must be one.
Hardware part_of(const Hardware& hardware, const CpuSet& cpus);

}  // namespace vicino::topo
