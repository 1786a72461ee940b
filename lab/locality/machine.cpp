#include "locality/machine.hpp"

#include <algorithm>

namespace vicino::lab {
namespace {

std::string in_range(const std::string& what, long value, long limit) {
  if (value >= 0 && value < limit) return {};
  return what + " is " + std::to_string(value) + "; accepted: 0 to " + std::to_string(limit - 1);
}

std::string too_many(const std::string& what, std::size_t count, int limit) {
  if (count >= 1 && count <= static_cast<std::size_t>(limit)) return {};
  return std::to_string(count) + " " + what + "; accepted: 1 to " + std::to_string(limit);
}

std::string node_fault(const Node& node, std::size_t index, std::size_t nodes) {
  const std::string name = "node " + std::to_string(index);
  if (auto fault = in_range("the package of " + name, node.package, kMaxNodes); !fault.empty())
    return fault;
  if (node.bytes % kPageBytes != 0)
    return name + " has " + std::to_string(node.bytes) + " bytes; accepted: whole pages of " +
           std::to_string(kPageBytes);
  if ((node.bytes == 0) != node.ram_block.empty())
    return name + " needs a ram_block if it has bytes, and none if it has not";
  if (node.distances.size() != nodes ||
      std::ranges::any_of(node.distances, [](int d) { return d < 10; }))
    return name + " needs a distance to each node, from 10";
  return {};
}

std::string cpu_fault(const Cpu& cpu, std::size_t index, const std::vector<Node>& nodes) {
  const std::string name = "CPU " + std::to_string(index);
  if (auto fault = in_range("the node of " + name, cpu.node, static_cast<long>(nodes.size()));
      !fault.empty())
    return fault;
  if (auto fault = in_range("the L3 group of " + name, cpu.l3, kMaxL3Groups); !fault.empty())
    return fault;
  if (cpu.package != nodes[cpu.node].package)
    return name + " is in package " + std::to_string(cpu.package) + ", its node " +
           std::to_string(cpu.node) + " in " + std::to_string(nodes[cpu.node].package);
  return {};
}

// A transfer between two L3s has one distance only if neither spans packages.
std::string group_fault(const Machine& machine, int l3) {
  const auto cpus = machine.cpus_of_l3(l3);
  if (cpus.empty())
    return "L3 group " + std::to_string(l3) + " has no CPU; accepted: groups numbered from 0";
  for (int cpu : cpus)
    if (machine.cpus[cpu].package != machine.cpus[cpus[0]].package)
      return "L3 group " + std::to_string(l3) + " spans packages " +
             std::to_string(machine.cpus[cpus[0]].package) + " and " +
             std::to_string(machine.cpus[cpu].package);
  return {};
}

}  // namespace

std::string Machine::fault() const {
  if (auto fault = too_many("CPUs", cpus.size(), kMaxCpus); !fault.empty()) return fault;
  if (auto fault = too_many("nodes", nodes.size(), kMaxNodes); !fault.empty()) return fault;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (auto fault = node_fault(nodes[i], i, nodes.size()); !fault.empty()) return fault;
  for (std::size_t i = 0; i < cpus.size(); ++i)
    if (auto fault = cpu_fault(cpus[i], i, nodes); !fault.empty()) return fault;
  for (int l3 = 0; l3 < l3_groups(); ++l3)
    if (auto fault = group_fault(*this, l3); !fault.empty()) return fault;
  return {};
}

int Machine::l3_groups() const {
  int groups = 0;
  for (const Cpu& cpu : cpus) groups = std::max(groups, cpu.l3 + 1);
  return groups;
}

int Machine::packages() const {
  int packages = 0;
  for (const Node& node : nodes) packages = std::max(packages, node.package + 1);
  return packages;
}

std::vector<int> Machine::cpus_of_l3(int l3) const {
  std::vector<int> members;
  for (std::size_t i = 0; i < cpus.size(); ++i)
    if (cpus[i].l3 == l3) members.push_back(static_cast<int>(i));
  return members;
}

LineMap::LineMap(const Machine& machine) : first_{0} {
  for (const Node& node : machine.nodes)
    first_.push_back(first_.back() + (node.bytes >> kLineBits));
}

int LineMap::home(std::uint64_t line) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), line);
  return static_cast<int>(next - first_.begin()) - 1;
}

}  // namespace vicino::lab
