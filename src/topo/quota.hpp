// quota.hpp: how much CPU time the control groups grant.
//
// Why    In a container with half a CPU the kernel still shows every CPU of the host. A team as
//        large as the host is then stopped for most of each period, often while one thread holds
//        what the others wait for.
// How    Both hierarchies are read, since either may have the CPU controller: version 1's
//        cpu.cfs_quota_us over cpu.cfs_period_us, version 2's cpu.max. A group cannot use more than
//        any of its ancestors, so the least value of the whole path counts.
// Not    weights and shares: they divide a CPU only while another group wants it.
#pragma once

#include <limits>
#include <string>

namespace vicino::topo {

struct Quota {
  double cpus = std::numeric_limits<double>::infinity();  // infinity: nothing limits it
  std::string group;  // the folder of the control group that sets it, "" if none does
};

// `root` is put before every path, for tests.
Quota read_quota(const std::string& root = "");

}  // namespace vicino::topo
