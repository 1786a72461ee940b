// sysfs_nodes.hpp: the NUMA nodes: their CPUs, memory and distances.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "topo/cpu_groups.hpp"
#include "topo/machine.hpp"
#include "topo/sysfs_folder.hpp"

namespace vicino::topo {

class Nodes {
 public:
  // A kernel without NUMA shows no nodes; the whole machine is then one node.
  Nodes(const std::string& root, const CpuSet& online);

  // The nodes that have CPUs.
  CpuGroups& groups() noexcept { return groups_; }
  // The first CPU of each of groups().
  CpuSet first_cpus() const;
  // The nodes in hwloc's logical order: an object that contains others comes after them. `order` is
  // the logical order of first_cpus(). `numbers` gives the domain of each of groups(), or -1 if it
  // is no domain.
  std::vector<Memory> memories(const std::vector<int>& numbers,
                               const std::vector<int>& order) const;
  // The latencies between the nodes with these kernel numbers; empty unless all are known.
  std::vector<double> latencies(const std::vector<int>& os_numbers) const;

 private:
  struct Node {
    int os_index;
    CpuSet cpus;  // its own CPUs, or those of the nodes nearest to it
    uint64_t bytes;
    std::vector<double> distances;  // in the order of nodes_
  };
  void read(const Folder& folder, int os_index, const CpuSet& online);
  void settle(const Folder& folder, Node& node, const CpuSet& online) const;
  CpuSet initiators(const Folder& folder, const Node& node) const;
  CpuSet nearest(const Node& node) const;
  const Node* find(int os_index) const noexcept;

  std::string root_;
  std::vector<Node> nodes_;
  CpuGroups groups_;
};

}  // namespace vicino::topo
