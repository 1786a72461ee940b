#include "topo/sysfs_kinds.hpp"

#include <algorithm>
#include <tuple>

namespace vicino::topo {
namespace {

struct Core {
  int group;
  int cpu;
  int sort = 0;  // on Intel's hybrid machines; higher is more powerful
  long speed = 0;
};

void read_sorts(const std::string& root, std::vector<Core>& cores) {
  const auto list = [&](const char* folder) {
    return Folder(root + "/sys/devices/" + folder).list("cpus").value_or(CpuSet());
  };
  const CpuSet large = list("cpu_core"), small = list("cpu_atom");
  if (large.empty() || small.empty()) return;
  for (Core& core : cores) core.sort = large.test(core.cpu) ? 2 : small.test(core.cpu);
}

// Returns false, and changes nothing, unless each core has the file.
bool read_speeds(const Folder& folder, const char* file, std::vector<Core>& cores) {
  std::vector<Core> read = cores;
  for (Core& core : read) {
    const auto speed = folder.number("cpu" + std::to_string(core.cpu) + "/" + file);
    if (!speed || *speed <= 0) return false;
    core.speed = *speed;
  }
  cores = std::move(read);
  return true;
}

}  // namespace

std::vector<int> read_kinds(const Folder& folder, const std::string& root, const CpuSet& cpus,
                            const CpuGroups& cores) {
  std::vector<int> kinds(static_cast<size_t>(cores.count()), 0);
  std::vector<Core> all;
  for (int group = 0; group < cores.count(); ++group)
    if (const CpuSet usable = cores.cpus(group) & cpus; !usable.empty())
      all.push_back({group, usable.first()});
  read_sorts(root, all);
  for (const char* file : {"cpu_capacity", "cpufreq/base_frequency", "cpufreq/cpuinfo_max_freq"})
    if (read_speeds(folder, file, all)) break;

  std::ranges::sort(all, {}, [](const Core& core) { return std::tuple(core.sort, core.speed); });
  int kind = 0;
  const Core* first = nullptr;  // of its kind
  for (const Core& core : all) {
    if (first != nullptr && (core.sort != first->sort || core.speed * 9 > first->speed * 10)) {
      ++kind;
      first = nullptr;
    }
    if (first == nullptr) first = &core;
    kinds[static_cast<size_t>(core.group)] = kind;
  }
  return kinds;
}

}  // namespace vicino::topo
