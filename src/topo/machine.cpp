#include "topo/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/arithmetic.hpp"
#include "topo/allowance.hpp"
#include "topo/cpu_name.hpp"

namespace vicino::topo {
namespace {

constexpr unsigned kLocal = 10;
constexpr unsigned kSamePackage = 20;
constexpr unsigned kElsewhere = 30;

constexpr std::array<Level, kLevels> kAllLevels{Level::kThread, Level::kCore,    Level::kCacheGroup,
                                                Level::kNode,   Level::kPackage, Level::kMachine};

int index_at(const Pu& pu, int thread, Level level) {
  switch (level) {
    case Level::kThread:
      return thread;
    case Level::kCore:
      return pu.core;
    case Level::kCacheGroup:
      return pu.cache_group;
    case Level::kNode:
      return pu.node;
    case Level::kPackage:
      return pu.package;
    case Level::kMachine:
      return 0;
  }
  return -1;
}

}  // namespace

std::string_view level_name(Level level) noexcept {
  static constexpr std::array<std::string_view, kLevels> kNames{"thread", "core",    "cache group",
                                                                "node",   "package", "machine"};
  return kNames[static_cast<size_t>(level)];
}

Machine::Machine(Hardware hardware) : hw_(std::move(hardware)) {
  for (const Pu& pu : hw_.pus) kinds_ = std::max(kinds_, pu.kind + 1);
  derive_domains();
  derive_parents();
  derive_distances();
  derive_nearest();
  derive_near();
}

std::string Machine::name() const { return hw_.name_root ? cpu_name(*hw_.name_root) : hw_.name; }

const Pu* Machine::pu_of(int cpu) const noexcept {
  if (cpu < 0 || static_cast<size_t>(cpu) >= pu_by_cpu_.size()) return nullptr;
  const int thread = pu_by_cpu_[static_cast<size_t>(cpu)];
  return thread < 0 ? nullptr : &hw_.pus[static_cast<size_t>(thread)];
}

int Machine::domain_at(Level level, int cpu) const noexcept {
  const Pu* const pu = pu_of(cpu);
  return pu ? index_at(*pu, static_cast<int>(pu - hw_.pus.data()), level) : -1;
}

int Machine::domain_of(Level level, const CpuSet& cpus) const noexcept {
  const int index = domain_at(level, cpus.first());
  if (index < 0) return -1;
  return domains(level)[static_cast<size_t>(index)].cpus.contains(cpus) ? index : -1;
}

int Machine::near_of(const CpuSet& cpus) const noexcept {
  const int domain = domain_of(near_level_, cpus);
  const int node = domain >= 0 ? -1 : node_of(cpus);
  return node < 0 ? domain
                  : domain_at(near_level_,
                              domains(Level::kNode)[static_cast<size_t>(node)].cpus.first());
}

std::vector<int> Machine::near_in(int node) const {
  std::vector<int> inside;
  for (int domain = 0; domain < near_count(); ++domain)
    if (node_of_near(domain) == node) inside.push_back(domain);
  return inside;
}

std::span<const int> Machine::nodes_nearest_first(int node) const noexcept {
  const size_t nodes = domains(Level::kNode).size();
  return std::span(nearest_).subspan(static_cast<size_t>(node) * nodes, nodes);
}

int Machine::default_team_size() const noexcept {
  return topo::default_team_size(static_cast<int>(hw_.pus.size()), hw_.quota_cpus);
}

std::string Machine::default_team_reason() const {
  const int usable = static_cast<int>(hw_.pus.size());
  const int online = hw_.online.count();
  if (hw_.quota_cpus < usable) {
    char text[80];
    snprintf(text, sizeof(text), "the CPU quota of %.3g, rounded up, of %d hardware threads",
             hw_.quota_cpus, usable);
    return text;
  }
  if (usable == online) return "one for each hardware thread";
  return "one for each hardware thread that this process may use, " + std::to_string(usable) +
         " of " + std::to_string(online);
}

void Machine::derive_domains() {
  for (size_t thread = 0; thread < hw_.pus.size(); ++thread) {
    const Pu& pu = hw_.pus[thread];
    const auto cpu = static_cast<size_t>(pu.os_index);
    if (cpu >= pu_by_cpu_.size()) pu_by_cpu_.resize(cpu + 1, -1);
    pu_by_cpu_[cpu] = static_cast<int>(thread);
    for (Level level : kAllLevels) {
      auto& domains = domains_[static_cast<size_t>(level)];
      const auto index = static_cast<size_t>(index_at(pu, static_cast<int>(thread), level));
      if (index >= domains.size()) domains.resize(index + 1);
      domains[index].cpus.set(pu.os_index);
      if (level == Level::kThread) domains[index].os_index = pu.os_index;
      if (level == Level::kNode) domains[index].os_index = hw_.node_os[index];
      if (level == Level::kPackage) domains[index].os_index = hw_.package_os[index];
    }
  }
}

void Machine::derive_parents() {
  for (Level level : kAllLevels)
    for (Domain& domain : domains_[static_cast<size_t>(level)])
      for (Level other : kAllLevels) adopt(domain, level, other);
}

// Makes the domain of level `other` around `domain` its parent, if it is smaller than the present
// parent.
void Machine::adopt(Domain& domain, Level level, Level other) const {
  const int around = other == level ? -1 : domain_of(other, domain.cpus);
  if (around < 0) return;
  const CpuSet& cpus = domains(other)[static_cast<size_t>(around)].cpus;
  if (other < level && cpus == domain.cpus) return;
  if (domain.parent >= 0) {
    const auto parent = static_cast<size_t>(domain.parent);
    if (cpus.count() >= domains(domain.parent_level)[parent].cpus.count()) return;
  }
  domain.parent_level = other;
  domain.parent = around;
}

bool Machine::share_package(int node_a, int node_b) const {
  const auto nodes = domains(Level::kNode);
  const CpuSet both =
      nodes[static_cast<size_t>(node_a)].cpus | nodes[static_cast<size_t>(node_b)].cpus;
  return package_of(both) >= 0;
}

unsigned Machine::tree_distance(int node_a, int node_b) const {
  if (node_a == node_b) return kLocal;
  return share_package(node_a, node_b) ? kSamePackage : kElsewhere;
}

void Machine::derive_distances() {
  const size_t nodes = domains(Level::kNode).size();
  std::vector<double>& given = hw_.latencies;
  // A matrix with a distance of zero or less is not believed.
  if (given.size() != nodes * nodes || std::ranges::any_of(given, [](double d) { return d <= 0; }))
    given.clear();
  if (given.empty()) {
    for (int a = 0; a < static_cast<int>(nodes); ++a)
      for (int b = 0; b < static_cast<int>(nodes); ++b) distances_.push_back(tree_distance(a, b));
    return;
  }
  // Measured matrices are in nanoseconds. They are scaled to the firmware's measure by their least
  // local latency, which is already 10 where the firmware wrote them.
  double local = given[0];
  for (size_t n = 1; n < nodes; ++n) local = std::min(local, given[n * nodes + n]);
  for (double latency : given)
    distances_.push_back(static_cast<unsigned>(round_to_nearest(latency * kLocal / local)));
}

void Machine::derive_nearest() {
  const size_t nodes = domains(Level::kNode).size();
  nearest_.resize(nodes * nodes);
  for (size_t n = 0; n < nodes; ++n) {
    const auto row = std::span(nearest_).subspan(n * nodes, nodes);
    const int self = static_cast<int>(n);
    std::iota(row.begin(), row.end(), 0);
    std::ranges::sort(row, {}, [&](int other) {
      return std::tuple(other == self ? 0 : distance(self, other), !share_package(self, other),
                        other);
    });
  }
}

void Machine::derive_near() {
  if (has_near_groups()) near_level_ = Level::kCacheGroup;
  std::vector<std::vector<int>> inside(domains(Level::kNode).size());
  for (int domain = 0; domain < near_count(); ++domain) {
    node_near_.push_back(node_of(domains(near_level_)[static_cast<size_t>(domain)].cpus));
    inside[static_cast<size_t>(node_near_.back())].push_back(domain);
  }
  for (int self = 0; self < near_count(); ++self) {
    nearest_near_.push_back(self);
    for (const int node : nodes_nearest_first(node_of_near(self)))
      for (const int domain : inside[static_cast<size_t>(node)])
        if (domain != self) nearest_near_.push_back(domain);
  }
}

// A thread is not kept on one core, nor on several weak ones while strong ones are idle: so a cache of one
// core is no near domain, and where cores differ the kernel chooses among all of a node. A cache of several
// nodes is none, either: the nodes are smaller.
bool Machine::has_near_groups() const {
  if (kinds_ > 1) return false;
  std::vector<int> groups_in(domains(Level::kNode).size());
  for (const Domain& group : domains(Level::kCacheGroup)) {
    const int node = node_of(group.cpus);
    if (node < 0) return false;
    if (core_of(group.cpus) < 0) ++groups_in[static_cast<size_t>(node)];
  }
  return std::ranges::any_of(groups_in, [](int groups) { return groups > 1; });
}

bool Machine::check() const {
  for (Level level : kAllLevels) {  // I2
    CpuSet all;
    for (const Domain& domain : domains(level)) {
      if (domain.cpus.empty() || all.intersects(domain.cpus)) return false;
      all |= domain.cpus;
    }
    if (all != cpus() || count(level) == 0) return false;
  }
  std::vector<const CpuSet*> sets;  // I3
  for (Level level : kAllLevels)
    for (const Domain& domain : domains(level)) sets.push_back(&domain.cpus);
  for (const CpuSet* a : sets)
    for (const CpuSet* b : sets)
      if (a->intersects(*b) && !a->contains(*b) && !b->contains(*a)) return false;
  return true;
}

}  // namespace vicino::topo
