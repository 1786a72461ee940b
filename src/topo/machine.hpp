// machine.hpp: the hardware threads that this process may use, and how near they are to each other.
//
// Why    Every decision about nearness asks this class, never the kernel: a machine that was
//        recorded elsewhere then behaves like this one, and a test runs on any of them.
// Cost   read from /sys (sysfs_reader.hpp) when the first region of several threads needs it, some
//        microseconds for each usable CPU; built once, immutable, freely read by all threads; a
//        query is an index into a vector.
//
// Only usable threads exist here: they are online, in the cgroup's cpuset, and in the process's
// affinity mask at the first look. An object without a usable thread is not a domain, so the
// indices of each level are dense and may be used as array indices.
//
// Invariants (check())
//  I1 order   pus() is in hwloc's logical order, so adjacent threads are near each other: the tree
//             of packages, nodes, caches and cores is walked depth first, and among the children of
//             one object the one with the lowest CPU comes first.
//  I2 tile    the domains of a level tile the usable threads; none is empty.
//  I3 nest    two domains of any levels are disjoint, or one contains the other. That does not fix
//             the order of levels: on some machines a node holds several packages, and several
//             nodes may share a cache (sub-NUMA clustering).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu_set.hpp"
#include "base/result.hpp"

namespace vicino::topo {

enum class Level { kThread, kCore, kCacheGroup, kNode, kPackage, kMachine };
inline constexpr int kLevels = 6;
std::string_view level_name(Level level) noexcept;

// A usable hardware thread. Fields are indices into domains() of their level.
struct Pu {
  int os_index;  // the kernel's CPU number
  int core;
  int cache_group;  // threads that share the last level of cache
  int node;
  int package;
  int kind;  // 0 is the least powerful sort of core; all are 0 where cores are alike
};

struct Domain {
  CpuSet cpus;        // usable threads only
  int os_index = -1;  // for nodes: what mbind() takes; -1 where the kernel has no number
  // The smallest domain of another level around this one; of equal sets, the lower Level is inside.
  Level parent_level = Level::kMachine;
  int parent = -1;  // -1: this domain is the machine
};

// A NUMA node as a place for pages. It may have no CPUs (MCDRAM, CXL), or no memory.
struct Memory {
  int os_index;
  uint64_t bytes;
  int node;          // the domain whose threads are nearest to it; -1 if there is none
  std::string sort;  // "" for plain memory, else hwloc's subtype ("MCDRAM")
};

// A machine as plain numbers, before anything is derived from it.
struct Hardware {
  std::string name;               // of the CPU, for people; unused if there is a name_root
  std::vector<Pu> pus;            // with dense indices, in logical order
  std::vector<int> node_os;       // kernel's number of each node, -1 if none
  std::vector<int> package_os;    // the kernel's number of each package, -1 if none
  std::vector<Memory> memories;   // in logical order
  std::vector<double> latencies;  // node x node, row by row; empty if unknown
  CpuSet online;                  // all CPUs of the machine, usable or not
  double quota_cpus = std::numeric_limits<double>::infinity();
  bool recorded = false;
  std::optional<std::string> name_root = std::nullopt;  // the name is what cpu_name() reads there
};

class Machine {
 public:
  // This process's machine, found at the first call. It is never destroyed: threads outlive main().
  static const Machine& here();
  // Makes here() return the machine in a file of hwloc's XML. Call it before the first here().
  static void use_recorded(std::string path);
  // Makes here(), and allowance(), a part of the machine, in the form of hw_subset.hpp; likewise.
  static void use_subset(std::string text);
  static bool has_subset() noexcept;
  // `ask` calls the two above where they are to be called. here() asks before it makes the machine, and
  // allowance() each time.
  static void look_after(void (*ask)()) noexcept;

  // The machine as recorded, whatever hwloc's own variables say.
  static Result<Machine> from_xml(const std::string& path);
  // A machine of which only CPU numbers are known: one node, one package, no shared caches.
  static Machine flat(const CpuSet& cpus);
  explicit Machine(Hardware hardware);

  // The name is read when it is asked for, because no region needs it: under a hypervisor each
  // CPUID instruction traps, and the name can take as long as all of the files.
  std::string name() const;
  // The machine was recorded elsewhere: no thread can be bound to it.
  bool recorded() const noexcept { return hw_.recorded; }

  std::span<const Pu> pus() const noexcept { return hw_.pus; }
  // The thread with the kernel's number `cpu`; null if it is not usable.
  const Pu* pu_of(int cpu) const noexcept;
  const CpuSet& cpus() const noexcept { return domains(Level::kMachine)[0].cpus; }
  const CpuSet& online() const noexcept { return hw_.online; }
  std::span<const Memory> memories() const noexcept { return hw_.memories; }

  std::span<const Domain> domains(Level level) const noexcept {
    return domains_[static_cast<size_t>(level)];
  }
  int count(Level level) const noexcept { return static_cast<int>(domains(level).size()); }
  // The domain of `level` that holds all of `cpus`; -1 if none does.
  int domain_of(Level level, const CpuSet& cpus) const noexcept;
  int core_of(const CpuSet& cpus) const noexcept { return domain_of(Level::kCore, cpus); }
  int cache_group_of(const CpuSet& cpus) const noexcept {
    return domain_of(Level::kCacheGroup, cpus);
  }
  int node_of(const CpuSet& cpus) const noexcept { return domain_of(Level::kNode, cpus); }
  int package_of(const CpuSet& cpus) const noexcept { return domain_of(Level::kPackage, cpus); }
  // The domain of `level` that a CPU is in; -1 if the CPU is not usable.
  int domain_at(Level level, int cpu) const noexcept;

  // How many kinds of cores there are, counted up to the most powerful one.
  int kinds() const noexcept { return kinds_; }

  // The level of the near domains, those that threads stay in where nobody has said how they are bound
  // (near.hpp): the cache groups, if a node has several of them with several cores each, and if cores are
  // alike; else the nodes.
  Level near_level() const noexcept { return near_level_; }
  int near_count() const noexcept { return count(near_level_); }
  // The near domain that holds all of `cpus`. CPUs of several near domains, all of one node, belong to the
  // node's first one; -1 if they are on several nodes.
  int near_of(const CpuSet& cpus) const noexcept;
  // The node around a near domain, and the near domains in a node, in order of their indices.
  int node_of_near(int domain) const noexcept { return node_near_[static_cast<size_t>(domain)]; }
  std::vector<int> near_in(int node) const;
  // All near domains: `domain` first, then the others of its node, then those of the other nodes, in the
  // order of nodes_nearest_first().
  std::span<const int> near_nearest_first(int domain) const noexcept {
    const auto domains = static_cast<size_t>(near_count());
    return std::span(nearest_near_).subspan(static_cast<size_t>(domain) * domains, domains);
  }

  // The cost of memory of node b for a thread of node a, in the firmware's measure: 10 is local. If
  // the machine does not tell, it is 20 within a package and 30 beyond.
  unsigned distance(int node_a, int node_b) const noexcept {
    return distances_[static_cast<size_t>(node_a * count(Level::kNode) + node_b)];
  }
  bool distances_known() const noexcept { return !hw_.latencies.empty(); }
  // All nodes: `node` first, then by distance. Among equal distances the nodes of its own package
  // come first, because some firmware reports one distance for all other nodes; then the order is
  // that of the index.
  std::span<const int> nodes_nearest_first(int node) const noexcept;

  // The CPU time that the cgroup grants, in CPUs; infinity if it sets no limit.
  double quota_cpus() const noexcept { return hw_.quota_cpus; }
  // The number of threads of a team when the program sets none: see allowance.hpp.
  int default_team_size() const noexcept;
  // One sentence for people: the limit that decided the default team size.
  std::string default_team_reason() const;

  bool check() const;

 private:
  void derive_domains();
  void derive_parents();
  void adopt(Domain& domain, Level level, Level other) const;
  void derive_distances();
  bool share_package(int node_a, int node_b) const;
  unsigned tree_distance(int node_a, int node_b) const;
  void derive_nearest();
  void derive_near();
  bool has_near_groups() const;

  Hardware hw_;
  std::array<std::vector<Domain>, kLevels> domains_;
  std::vector<int> pu_by_cpu_;       // index into pus(), -1 if not usable
  std::vector<unsigned> distances_;  // node x node
  std::vector<int> nearest_;         // node x node, each row a nodes_nearest_first()
  Level near_level_ = Level::kNode;
  int kinds_ = 1;
  std::vector<int> node_near_;     // by near domain
  std::vector<int> nearest_near_;  // near domain x near domain, each row a near_nearest_first()
};

}  // namespace vicino::topo
