#include "topo/sysfs_reader.hpp"

#include <algorithm>
#include <utility>

#include "topo/cpu_groups.hpp"
#include "topo/sysfs_caches.hpp"
#include "topo/sysfs_folder.hpp"
#include "topo/sysfs_kinds.hpp"
#include "topo/sysfs_nodes.hpp"

namespace vicino::topo {
namespace {

std::string of_cpu(int cpu, const char* file) {
  return ("cpu" + std::to_string(cpu)).append("/topology/").append(file);
}

// The sets of all levels: those of the usable CPUs, and of the CPUs beside them in the same core,
// cache and so on.
struct Levels {
  CpuGroups cores, inner_caches, caches, dies, packages;
};

class CpuReader {
 public:
  CpuReader(const Folder& folder, const CpuSet& online)
      : folder_(folder),
        online_(online),
        caches_(folder, online, levels_.caches, levels_.inner_caches),
        has_siblings_(folder.number("smt/active").value_or(1) != 0) {}

  // Reads what is not known yet of this CPU. The kernel has had two names for some of these files;
  // every kernel has the older ones.
  void read(int cpu) {
    read_core(cpu);
    if (!levels_.packages.has(cpu)) read_package(cpu);
    const CpuSet package = set_of(levels_.packages, cpu);
    caches_.read(cpu, set_of(levels_.cores, cpu), package);
    // A die between a package and a cache that spans the package orders nothing.
    if (!levels_.dies.has(cpu) && (package.empty() || package != set_of(levels_.caches, cpu)))
      levels_.dies.add(members(cpu, "die_cpus_list"));
  }
  Levels& levels() noexcept { return levels_; }

 private:
  CpuSet members(int cpu, const char* file) const {
    const auto list = folder_.list(of_cpu(cpu, file));
    return list && list->test(cpu) ? *list & online_ : CpuSet();
  }
  static CpuSet set_of(const CpuGroups& level, int cpu) {
    return level.has(cpu) ? level.cpus(level.of(cpu)) : CpuSet();
  }
  void read_core(int cpu) {
    if (!has_siblings_)
      levels_.cores.add(CpuSet::of(cpu));
    else if (!levels_.cores.has(cpu))
      levels_.cores.add(members(cpu, "thread_siblings_list"));
  }
  void read_package(int cpu) {
    const long number = folder_.number(of_cpu(cpu, "physical_package_id")).value_or(-1);
    // If there is no number, the kernel made the package up, because the firmware tells nothing.
    if (number >= 0)
      levels_.packages.add(members(cpu, "core_siblings_list"), static_cast<int>(number));
  }

  const Folder& folder_;
  const CpuSet& online_;
  Levels levels_;
  CacheReader caches_;
  const bool has_siblings_;
};

// Ignores a level that does not nest with the levels before it, so that I3 of machine.hpp holds.
void keep_what_nests(Levels& levels, CpuGroups& nodes) {
  std::vector<CpuGroups*> believed;
  for (CpuGroups* level : {&levels.cores, &levels.packages, &nodes, &levels.caches,
                           &levels.inner_caches, &levels.dies}) {
    const bool nests =
        std::ranges::all_of(believed, [&](const CpuGroups* b) { return level->nests_with(*b); });
    if (nests)
      believed.push_back(level);
    else
      level->clear();
  }
}

// Numbers sets 0, 1, ... in the order in which they are first asked for. The CPUs without a set
// count as one more set.
class Numbering {
 public:
  explicit Numbering(const CpuGroups& groups) : groups_(groups) {}
  int operator()(int cpu) {
    const int group = groups_.of(cpu);
    auto& number = number_[static_cast<size_t>(group + 1)];
    if (number < 0) {
      number = static_cast<int>(order_.size());
      order_.push_back(group);
    }
    return number;
  }
  std::vector<int> os_numbers() const {
    std::vector<int> numbers;
    for (const int group : order_) numbers.push_back(group < 0 ? -1 : groups_.os_index(group));
    return numbers;
  }
  // The number of each group; -1 if it was never asked for.
  std::vector<int> numbers() const { return {number_.begin() + 1, number_.end()}; }

 private:
  const CpuGroups& groups_;
  std::vector<int> number_ = std::vector<int>(static_cast<size_t>(groups_.count()) + 1, -1);
  std::vector<int> order_;
};

// A CPU without a known core becomes a core of its own, and a core without a cache its own group.
void complete(Levels& levels, const CpuSet& cpus) {
  cpus.for_each([&](int cpu) {
    if (!levels.cores.has(cpu)) levels.cores.add(CpuSet::of(cpu));
    if (!levels.caches.has(cpu)) levels.caches.add(levels.cores.cpus(levels.cores.of(cpu)));
  });
}

}  // namespace

Hardware read_sysfs(const CpuSet& allowed, const std::string& root) {
  const Folder folder(root + "/sys/devices/system/cpu");
  Hardware hardware;
  // Some containers show their own numbers in that file; the process's mask has the kernel's.
  hardware.online = folder.list("online").value_or(CpuSet()) | allowed;
  CpuReader reader(folder, hardware.online);
  Levels& levels = reader.levels();
  allowed.for_each([&](int cpu) { reader.read(cpu); });
  Nodes nodes(root, hardware.online);
  // For nodes of which this process has no CPUs, the sets around them determine their order.
  nodes.first_cpus().for_each([&](int cpu) { reader.read(cpu); });
  keep_what_nests(levels, nodes.groups());
  complete(levels, allowed);

  const std::vector<int> kinds = read_kinds(folder, root, allowed, levels.cores);
  Numbering core(levels.cores), cache(levels.caches), node(nodes.groups()),
      package(levels.packages);
  const std::vector<const CpuGroups*> all{&levels.packages, &levels.dies,         &nodes.groups(),
                                          &levels.caches,   &levels.inner_caches, &levels.cores};
  for (const int cpu : logical_order(allowed, all))
    hardware.pus.push_back({.os_index = cpu,
                            .core = core(cpu),
                            .cache_group = cache(cpu),
                            .node = node(cpu),
                            .package = package(cpu),
                            .kind = kinds[static_cast<size_t>(levels.cores.of(cpu))]});
  hardware.name_root = root;
  hardware.node_os = node.os_numbers();
  hardware.package_os = package.os_numbers();
  hardware.memories = nodes.memories(node.numbers(), logical_order(nodes.first_cpus(), all));
  hardware.latencies = nodes.latencies(hardware.node_os);
  return hardware;
}

}  // namespace vicino::topo
