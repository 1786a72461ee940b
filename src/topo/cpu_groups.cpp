#include "topo/cpu_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/stable_sort.hpp"

namespace vicino::topo {
namespace {

// A CPU with the first CPU of each set that it is in, the largest set first, and its own number at
// the end. If two CPUs differ in a set, the first sets in which they differ are disjoint, since
// levels nest; so the first CPUs order them as hwloc orders the children of one object.
struct Key {
  std::vector<int> firsts;
  int cpu;
};

Key key_of(int cpu, const std::vector<const CpuGroups*>& levels) {
  std::vector<std::pair<int, int>> sets;  // -size, first CPU
  for (const CpuGroups* level : levels)
    if (const int group = level->of(cpu); group >= 0)
      sets.emplace_back(-level->cpus(group).count(), level->cpus(group).first());
  vicino::stable_sort(sets, &std::pair<int, int>::first);
  Key key{{}, cpu};
  for (const auto& [size, first] : sets) key.firsts.push_back(first);
  key.firsts.resize(levels.size() + 1, cpu);
  return key;
}

}  // namespace

int CpuGroups::of(int cpu) const noexcept {
  const auto at = static_cast<size_t>(cpu);
  return cpu >= 0 && at < group_of_.size() ? group_of_[at] : -1;
}

void CpuGroups::add(CpuSet cpus, int os_index) {
  const int group = count();
  for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
    if (has(cpu)) {
      cpus.clear(cpu);
      continue;
    }
    const auto at = static_cast<size_t>(cpu);
    if (at >= group_of_.size()) group_of_.resize(at + 1, -1);
    group_of_[at] = group;
  }
  if (!cpus.empty()) groups_.push_back({std::move(cpus), os_index});
}

void CpuGroups::clear() noexcept {
  groups_.clear();
  group_of_.clear();
}

bool CpuGroups::nests_with(const CpuGroups& others) const {
  return std::ranges::all_of(groups_, [&](const Group& group) {
    const int around = others.of(group.cpus.first());
    if (around >= 0 && others.cpus(around).contains(group.cpus)) return true;
    for (int cpu = group.cpus.first(); cpu >= 0; cpu = group.cpus.next(cpu))
      if (const int other = others.of(cpu); other >= 0 && !group.cpus.contains(others.cpus(other)))
        return false;
    return true;
  });
}

std::vector<int> logical_order(const CpuSet& cpus, const std::vector<const CpuGroups*>& levels) {
  std::vector<Key> keys;
  cpus.for_each([&](int cpu) { keys.push_back(key_of(cpu, levels)); });
  std::ranges::sort(keys, {}, &Key::firsts);
  std::vector<int> order;
  for (const Key& key : keys) order.push_back(key.cpu);
  return order;
}

}  // namespace vicino::topo
