#include "topo/near.hpp"

#include <algorithm>

namespace vicino::topo {
namespace {

// What a domain has of the CPUs that may be used, and how many members it gets.
struct Share {
  int domain;
  int cores = 0, threads = 0;
  int members = 0;
};
using Shares = std::vector<Share>;

// By domain of the level.
Shares shares_of(const Machine& machine, Level level, const CpuSet& cpus) {
  Shares shares;
  for (int domain = 0; domain < machine.count(level); ++domain) shares.push_back({domain});
  int core = -1;
  for (const Pu& pu : machine.pus()) {
    if (!cpus.test(pu.os_index)) continue;
    Share& share = shares[static_cast<size_t>(machine.domain_at(level, pu.os_index))];
    ++share.threads;
    share.cores += pu.core != core;  // a core's threads are neighbours in pus()
    core = pu.core;
  }
  return shares;
}

int sum(const Shares& shares, int Share::* what) {
  int sum = 0;
  for (const Share& share : shares) sum += share.*what;
  return sum;
}

// A member for each core.
void fill(Shares& shares, int members) {
  for (Share& share : shares) {
    share.members = std::min(share.cores, members);
    members -= share.members;
  }
}

void divide(Shares& shares, int members, int Share::* weight) {
  const int all = sum(shares, weight);
  int64_t before = 0;
  int given = 0;
  for (Share& share : shares) {
    before += share.*weight;
    share.members = static_cast<int>((before * members + all - 1) / all) - given;
    given += share.members;
  }
}

// The nodes that may be used, in the order in which they are taken.
Shares nodes_in_turn(const Machine& machine, const CpuSet& cpus, int first) {
  const Shares all = shares_of(machine, Level::kNode, cpus);
  Shares shares;
  for (const int node : machine.nodes_nearest_first(first))
    if (const Share& share = all[static_cast<size_t>(node)]; share.threads > 0)
      shares.push_back(share);
  return shares;
}

int node_around(const Machine& machine, Level level, int domain) {
  return machine.node_of(machine.domains(level)[static_cast<size_t>(domain)].cpus);
}

// Of the domains inside a node those that may be used, in the order in which they are taken.
Shares inside(const Machine& machine, Level level, const Shares& all, int node, int first) {
  Shares shares;
  for (const Share& share : all)
    if (share.threads > 0 && node_around(machine, level, share.domain) == node)
      shares.push_back(share);
  const auto begin = std::ranges::find(shares, first, &Share::domain);
  if (begin != shares.end()) std::ranges::rotate(shares, begin);
  return shares;
}

void append(std::vector<int>& domains, const Shares& shares) {
  for (const Share& share : shares)
    domains.insert(domains.end(), static_cast<size_t>(share.members), share.domain);
}

}  // namespace

int cores_in(const Machine& machine, const CpuSet& cpus) {
  return shares_of(machine, Level::kMachine, cpus)[0].cores;
}

std::vector<int> domains_near(const Machine& machine, Level level, const CpuSet& cpus, int first,
                              int members) {
  const bool by_nodes = level == Level::kNode;
  Shares nodes =
      nodes_in_turn(machine, cpus, by_nodes ? first : node_around(machine, level, first));
  const bool has_cores = members <= sum(nodes, &Share::cores);  // one for each member
  if (has_cores)
    fill(nodes, members);
  else
    divide(nodes, members, &Share::threads);
  std::vector<int> domains;
  if (by_nodes) {
    append(domains, nodes);
    return domains;
  }
  const Shares all = shares_of(machine, level, cpus);
  for (const Share& node : nodes) {
    Shares groups = inside(machine, level, all, node.domain, first);
    divide(groups, node.members, has_cores ? &Share::cores : &Share::threads);
    append(domains, groups);
  }
  return domains;
}

CpuSet cpus_near(const Machine& machine, Level level, int domain, const CpuSet& cpus) {
  CpuSet its = machine.domains(level)[static_cast<size_t>(domain)].cpus & cpus;
  if (level == Level::kNode || machine.core_of(its) < 0) return its;
  return machine.domains(Level::kNode)[static_cast<size_t>(machine.node_of(its))].cpus & cpus;
}

}  // namespace vicino::topo
