// allowance.hpp: what the system allows this process to use, without the machine's topology.
//
// Why    Most programs that are linked against OpenMP ask how many threads there would be, and many
//        never start any. The affinity mask and the quota of the control group answer that in about
//        ten microseconds; the topology takes longer with more CPUs.
// Not    for nearness: Machine::here() has the same allowance, and the structure between its CPUs.
#pragma once

#include <string>

#include "base/cpu_set.hpp"

namespace vicino::topo {

struct Allowance {
  CpuSet cpus;                   // the affinity mask, or a part of it as below; never empty
  double quota_cpus;             // infinity if the control group sets no limit
  std::string quota_group = {};  // its folder, "" if none sets one
  bool recorded = false;         // whether the CPUs are those of a recorded machine
  // Whether this process is one of several ranks that share the machine (rank_share.hpp). Then it
  // has a part of the quota, too.
  bool is_share = false;
  bool is_subset = false;  // whether KMP_HW_SUBSET has left CPUs out

  int default_team_size() const noexcept;
};

// The allowance is found at the first call and then constant. For a recorded machine it has that
// machine's CPUs. Several threads may call it at once, and so may the child of a fork() that came
// while another thread was in the first call: no thread waits for the first caller.
const Allowance& allowance();

// The number of threads of a team when the program sets none: one per usable hardware thread, but
// at most the quota, rounded up. It is rounded up because a throttled group stops as a whole: two
// threads under a quota of 1.5 each get three quarters and finish together, while one thread would
// leave half a CPU unused.
int default_team_size(int usable_cpus, double quota_cpus) noexcept;

}  // namespace vicino::topo
