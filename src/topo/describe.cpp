#include "topo/describe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "topo/near.hpp"

namespace vicino::topo {
namespace {

constexpr size_t kLineWidth = 96;
// The levels that are drawn as boxes; cores and threads are inside the brackets.
constexpr std::array kBoxes{Level::kPackage, Level::kNode, Level::kCacheGroup};

std::string plural(int n, std::string_view thing) {
  return std::to_string(n) + " " + std::string(thing) + (n == 1 ? "" : "s");
}

std::string bytes_text(uint64_t bytes) {
  static constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  char text[32];
  snprintf(text, sizeof(text), amount < 10 ? "%.1f %s" : "%.0f %s", amount, kUnits[unit]);
  return text;
}

std::string right(const std::string& text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

class Picture {
 public:
  explicit Picture(const Machine& machine) : machine_(machine) {}

  std::string draw() {
    title();
    children_of(Level::kMachine, 0, 0);
    kinds();
    far_memories();
    distances();
    limits();
    return std::move(text_);
  }

 private:
  void title() {
    line(0, (machine_.name().empty() ? "a machine" : machine_.name()) +
                (machine_.recorded() ? " (recorded)" : ""));
    line(0, counts_of(machine_));
    line(0, "CPUs in [ ] share their last level of cache" + siblings());
    text_ += '\n';
  }

  // Shows by example how the kernel numbered the threads of a core.
  std::string siblings() const {
    for (const Domain& core : machine_.domains(Level::kCore))
      if (core.cpus.count() > 1) return "; " + core.cpus.to_list() + " are one core";
    return "";
  }

  // Writes caches without inner structure on as few lines as they need, then the boxes, each
  // indented.
  void children_of(Level level, int index, int depth) {
    brackets(level, index, depth);
    for (Level inner : kBoxes)
      for (int i = 0; i < machine_.count(inner); ++i)
        if (is_child(inner, i, level, index) && !is_leaf(inner, i)) {
          line(depth, label(inner, i));
          children_of(inner, i, depth + 1);
        }
  }

  void brackets(Level level, int index, int depth) {
    std::string row;
    const auto flush = [&] {
      if (!row.empty()) line(depth, row);
      row.clear();
    };
    for (int i = 0; i < machine_.count(Level::kCacheGroup); ++i) {
      if (!is_child(Level::kCacheGroup, i, level, index) || !is_leaf(Level::kCacheGroup, i))
        continue;
      const std::string group = "[" + domain(Level::kCacheGroup, i).cpus.to_list() + "]";
      if (row.size() + group.size() > kLineWidth) flush();
      row += (row.empty() ? "" : " ") + group;
    }
    flush();
  }

  bool is_child(Level level, int index, Level parent_level, int parent) const {
    const Domain& child = domain(level, index);
    return child.parent_level == parent_level && child.parent == parent;
  }

  // Whether it is a cache group that holds no node and no package, as nearly all are.
  bool is_leaf(Level level, int index) const {
    if (level != Level::kCacheGroup) return false;
    for (Level inner : {Level::kPackage, Level::kNode})
      for (int i = 0; i < machine_.count(inner); ++i)
        if (is_child(inner, i, level, index)) return false;
    return true;
  }

  std::string label(Level level, int index) const {
    std::string text = std::string(level_name(level)) + " " + os_name(level, index);
    if (level != Level::kNode) return text;
    for (const Memory& memory : machine_.memories())
      if (memory.os_index == domain(level, index).os_index)
        text += memory.bytes > 0 ? ", " + bytes_text(memory.bytes) : ", no memory";
    return text;
  }

  // The kernel's number where there is one, because numactl and /sys use it.
  std::string os_name(Level level, int index) const {
    const int os_index = domain(level, index).os_index;
    return std::to_string(os_index >= 0 ? os_index : index);
  }

  void kinds() {
    const int most = machine_.kinds() - 1;
    if (most == 0) return;
    text_ += '\n';
    for (int kind = most; kind >= 0; --kind) {
      CpuSet cpus;
      for (const Pu& pu : machine_.pus())
        if (pu.kind == kind) cpus.set(pu.os_index);
      const char* const power = kind == most ? " (the most powerful)" : "";
      if (!cpus.empty())
        line(0, "cores of kind " + std::to_string(kind) + power + ": CPUs " + cpus.to_list());
    }
  }

  void far_memories() {
    for (const Memory& memory : machine_.memories()) {
      const bool drawn =
          memory.node >= 0 && domain(Level::kNode, memory.node).os_index == memory.os_index;
      if (drawn) continue;
      std::string text = "memory of node " + std::to_string(memory.os_index) + ": " +
                         bytes_text(memory.bytes) + (memory.sort.empty() ? "" : " " + memory.sort);
      text += memory.node < 0 ? ", no usable CPUs near it"
                              : ", nearest to node " + os_name(Level::kNode, memory.node);
      line(0, text);
    }
  }

  void distances() {
    const int nodes = machine_.count(Level::kNode);
    if (nodes == 1) return;
    text_ += '\n';
    line(0, machine_.distances_known()
                ? "distances between nodes (10 is local)"
                : "distances between nodes (not told by the machine: assumed)");
    std::string head = right("", kCell);
    for (int b = 0; b < nodes; ++b) head += right(os_name(Level::kNode, b), kCell);
    line(0, head);
    for (int a = 0; a < nodes; ++a) {
      std::string row = right(os_name(Level::kNode, a), kCell);
      for (int b = 0; b < nodes; ++b) row += right(std::to_string(machine_.distance(a, b)), kCell);
      line(0, row);
    }
  }

  void limits() {
    text_ += '\n';
    const CpuSet barred = machine_.online() - machine_.cpus();
    line(0, "usable CPUs: " + machine_.cpus().to_list());
    if (!barred.empty()) line(0, "not for this process: " + barred.to_list());
    char quota[48] = "none";
    if (std::isfinite(machine_.quota_cpus()))
      snprintf(quota, sizeof(quota), "%.3g CPUs", machine_.quota_cpus());
    line(0, "CPU quota: " + std::string(quota));
    line(0, "default team: " + plural(machine_.default_team_size(), "thread") + " (" +
                machine_.default_team_reason() + ")");
    const Level level = machine_.near_level();
    if (machine_.count(level) > 1)
      line(0, "which stay " +
                  std::string(level == Level::kNode ? "on their node" : "in their cache group") +
                  "s if nothing binds them: " + shares(level));
  }

  // How many members of a default team each near domain has, if the first thread is on the first one.
  std::string shares(Level level) const {
    std::vector<int> members(static_cast<size_t>(machine_.count(level)));
    for (const int its :
         domains_near(machine_, level, machine_.cpus(), 0, machine_.default_team_size()))
      ++members[static_cast<size_t>(its)];
    if (std::ranges::adjacent_find(members, std::ranges::not_equal_to()) == members.end())
      return std::to_string(members[0]) +
             (level == Level::kNode ? " on each node" : " in each group");
    std::string text;
    for (int i = 0; i < machine_.count(level); ++i) {
      const int on_it = members[static_cast<size_t>(i)];
      if (on_it == 0) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(on_it) + " on ";
      text += level == Level::kNode ? "node " + os_name(Level::kNode, i)
                                    : "[" + domain(level, i).cpus.to_list() + "]";
    }
    return text;
  }

  const Domain& domain(Level level, int index) const {
    return machine_.domains(level)[static_cast<size_t>(index)];
  }

  void line(int depth, const std::string& text) {
    text_ += std::string(static_cast<size_t>(2 * depth), ' ') + text + '\n';
  }

  static constexpr size_t kCell = 5;
  const Machine& machine_;
  std::string text_;
};

}  // namespace

std::string counts_of(const Machine& machine) {
  std::string counts;
  for (Level level : {Level::kPackage, Level::kNode, Level::kCacheGroup, Level::kCore})
    counts += plural(machine.count(level), level_name(level)) + ", ";
  return counts + plural(machine.count(Level::kThread), "hardware thread");
}

std::string describe(const Machine& machine) { return Picture(machine).draw(); }

}  // namespace vicino::topo
