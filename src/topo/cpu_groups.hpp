// cpu_groups.hpp: the sets of CPUs of one level of a machine, as they are found one by one.
//
// Invariant  No CPU is in two sets: a set that overlaps earlier ones keeps only the rest.
#pragma once

#include <vector>

#include "base/cpu_set.hpp"

namespace vicino::topo {

class CpuGroups {
 public:
  // The set that a CPU is in; -1 if none is known.
  int of(int cpu) const noexcept;
  bool has(int cpu) const noexcept { return of(cpu) >= 0; }
  void add(CpuSet cpus, int os_index = -1);
  // Forgets all sets of this level.
  void clear() noexcept;

  int count() const noexcept { return static_cast<int>(groups_.size()); }
  const CpuSet& cpus(int group) const noexcept { return at(group).cpus; }
  int os_index(int group) const noexcept { return at(group).os_index; }

  // Whether each set here and each set there are disjoint, or one contains the other.
  bool nests_with(const CpuGroups& others) const;

 private:
  struct Group {
    CpuSet cpus;
    int os_index;
  };
  const Group& at(int group) const noexcept { return groups_[static_cast<size_t>(group)]; }

  std::vector<Group> groups_;
  std::vector<int> group_of_;  // by CPU
};

// CPUs in hwloc's logical order (machine.hpp, I1); `levels` are what is known of them. Any two
// levels must nest.
std::vector<int> logical_order(const CpuSet& cpus, const std::vector<const CpuGroups*>& levels);

}  // namespace vicino::topo
