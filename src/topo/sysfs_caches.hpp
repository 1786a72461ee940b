// sysfs_caches.hpp: which CPUs share their last level of cache, and the level inside it.
//
// Why    The last level makes the cache groups. The level inside it only orders CPUs: cores whose
//        numbers are far apart may share it.
// Cost   two or three files for each cache, not for each CPU: one description of a cache holds for
//        all CPUs that share it.
#pragma once

#include "topo/cpu_groups.hpp"
#include "topo/sysfs_folder.hpp"

namespace vicino::topo {

class CacheReader {
 public:
  // `last` has the kernel's index of the cache as its os_index.
  CacheReader(const Folder& folder, const CpuSet& online, CpuGroups& last, CpuGroups& inner)
      : folder_(folder), online_(online), last_(last), inner_(inner) {}

  // Reads what is not known yet of the caches of `cpu`, which is in this core and package.
  void read(int cpu, const CpuSet& core, const CpuSet& package);

 private:
  CpuSet shared_by(int cpu, int index) const;
  bool is_of_data(int cpu, int index) const;
  void read_last(int cpu, const CpuSet& package);

  const Folder& folder_;
  const CpuSet& online_;
  CpuGroups& last_;
  CpuGroups& inner_;
  // The kernel numbers a CPU's caches from the innermost. Most CPUs have as many caches as the CPU
  // before them.
  int hint_ = 3;
  std::vector<bool> orders_;  // by group of last_: whether the level inside it may order its CPUs
};

}  // namespace vicino::topo
