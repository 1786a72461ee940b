#include "topo/sysfs_nodes.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

#include "base/file.hpp"
#include "topo/cpu_name.hpp"

namespace vicino::topo {
namespace {

std::string of_node(int node, const char* file) {
  return ("node" + std::to_string(node)).append("/").append(file);
}

// The memory in a line "Node 0 MemTotal:  16384 kB", or in one without the node.
uint64_t total_memory(std::string_view text) {
  constexpr std::string_view kWord = "MemTotal:";
  const size_t word = text.find(kWord);
  if (word == text.npos) return 0;
  text.remove_prefix(word + kWord.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  uint64_t kibibytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), kibibytes);
  return kibibytes << 10;
}

std::vector<double> row(std::string_view text) {
  std::vector<double> distances;
  while (!text.empty()) {
    const std::string_view word = take_until(text, ' ');
    int distance = 0;
    std::from_chars(word.data(), word.data() + word.size(), distance);
    distances.push_back(distance);
  }
  return distances;
}

}  // namespace

Nodes::Nodes(const std::string& root, const CpuSet& online) : root_(root) {
  const Folder folder(root + "/sys/devices/system/node");
  const CpuSet numbers = folder.list("online").value_or(CpuSet());
  if (numbers.count() > 1) numbers.for_each([&](int node) { read(folder, node, online); });
  // A single node has all CPUs and all memory.
  if (nodes_.empty()) {
    const int node = std::max(numbers.first(), 0);
    const auto told = folder.text(of_node(node, "meminfo"));
    nodes_.push_back(
        {node, online, total_memory(told ? *told : read_file(root + "/proc/meminfo")), {}});
  }
  for (const Node& node : nodes_)
    if (!node.cpus.empty()) groups_.add(node.cpus, node.os_index);
  for (Node& node : nodes_)
    if (node.cpus.empty()) settle(folder, node, online);
}

void Nodes::read(const Folder& folder, int os_index, const CpuSet& online) {
  const auto cpus = folder.list(of_node(os_index, "cpulist"));
  if (!cpus) return;
  nodes_.push_back({os_index, *cpus & online,
                    total_memory(folder.text(of_node(os_index, "meminfo")).value_or("")),
                    row(folder.text(of_node(os_index, "distance")).value_or(""))});
}

// A node without CPUs is near the CPUs that the firmware names, else near those at the least
// distance, else near all.
void Nodes::settle(const Folder& folder, Node& node, const CpuSet& online) const {
  CpuSet cpus = initiators(folder, node);
  if (cpus.empty()) cpus = nearest(node);
  node.cpus = cpus.empty() ? online : std::move(cpus);
}

CpuSet Nodes::initiators(const Folder& folder, const Node& node) const {
  CpuSet cpus;
  for (int group = 0; group < groups_.count(); ++group) {
    const int other = groups_.os_index(group);
    const std::string link = "access0/initiators/node" + std::to_string(other) + "/cpulist";
    if (folder.list(of_node(node.os_index, link.c_str()))) cpus |= groups_.cpus(group);
  }
  return cpus;
}

CpuSet Nodes::nearest(const Node& node) const {
  double least = std::numeric_limits<double>::infinity();
  CpuSet cpus;
  if (node.distances.size() != nodes_.size()) return cpus;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const int group = groups_.of(nodes_[n].cpus.first());
    if (&nodes_[n] == &node || group < 0 || groups_.os_index(group) != nodes_[n].os_index) continue;
    if (node.distances[n] < least) {
      least = node.distances[n];
      cpus = {};
    }
    if (node.distances[n] == least) cpus |= groups_.cpus(group);
  }
  return cpus;
}

const Nodes::Node* Nodes::find(int os_index) const noexcept {
  const auto found = std::ranges::find(nodes_, os_index, &Node::os_index);
  return found == nodes_.end() ? nullptr : &*found;
}

CpuSet Nodes::first_cpus() const {
  CpuSet cpus;
  for (int group = 0; group < groups_.count(); ++group) cpus.set(groups_.cpus(group).first());
  return cpus;
}

std::vector<Memory> Nodes::memories(const std::vector<int>& numbers,
                                    const std::vector<int>& order) const {
  std::vector<const Node*> sorted;
  for (const Node& node : nodes_) sorted.push_back(&node);
  std::ranges::sort(sorted, {}, [&](const Node* node) {
    size_t last = 0;
    for (size_t at = 0; at < order.size(); ++at)
      if (node->cpus.test(order[at])) last = at;
    return std::tuple(last, node->cpus.count(), node->os_index);
  });
  const bool is_knl = nodes_.size() > 1 && cpu_name(root_).find("Xeon Phi") != std::string::npos;
  std::vector<Memory> memories;
  for (const Node* node : sorted) {
    const int group = groups_.of(node->cpus.first());
    const bool near_one = group >= 0 && groups_.cpus(group) == node->cpus;
    const bool without_cpus = group < 0 || groups_.os_index(group) != node->os_index;
    memories.push_back({node->os_index, node->bytes,
                        near_one ? numbers[static_cast<size_t>(group)] : -1,
                        is_knl && without_cpus ? "MCDRAM" : ""});
  }
  return memories;
}

std::vector<double> Nodes::latencies(const std::vector<int>& os_numbers) const {
  std::vector<double> all;
  if (nodes_.size() < 2) return all;
  for (const int from : os_numbers)
    for (const int to : os_numbers) {
      const Node *const a = find(from), *const b = find(to);
      if (a == nullptr || b == nullptr || a->distances.size() != nodes_.size()) return {};
      all.push_back(a->distances[static_cast<size_t>(b - nodes_.data())]);
    }
  return all;
}

}  // namespace vicino::topo
