#include "topo/near.hpp"

#include <algorithm>

namespace vicino::topo {
namespace {

// How many domains of the level have CPUs in the set.
int count_in(const Machine& machine, Level level, const CpuSet& cpus) {
  return static_cast<int>(std::ranges::count_if(
      machine.domains(level), [&](const Domain& domain) { return domain.cpus.intersects(cpus); }));
}

struct Share {
  int node;
  int cores, threads;
};

// The nodes that may be used, in the order in which they are taken.
std::vector<Share> shares_of(const Machine& machine, const CpuSet& cpus, int first) {
  std::vector<Share> shares;
  for (const int node : machine.nodes_nearest_first(first)) {
    const CpuSet usable = machine.domains(Level::kNode)[static_cast<size_t>(node)].cpus & cpus;
    if (usable.empty()) continue;
    shares.push_back({node, count_in(machine, Level::kCore, usable), usable.count()});
  }
  return shares;
}

// A member for each core.
std::vector<int> fill(const std::vector<Share>& shares, int members) {
  std::vector<int> nodes;
  for (const Share& share : shares) {
    const auto more = std::min(static_cast<size_t>(share.cores), members - nodes.size());
    nodes.insert(nodes.end(), more, share.node);
  }
  return nodes;
}

std::vector<int> divide(const std::vector<Share>& shares, int members, int threads) {
  std::vector<int> nodes;
  int64_t before = 0;
  for (const Share& share : shares) {
    before += share.threads;
    nodes.resize(static_cast<size_t>((before * members + threads - 1) / threads), share.node);
  }
  return nodes;
}

}  // namespace

std::vector<int> nodes_near(const Machine& machine, const CpuSet& cpus, int first, int members) {
  const std::vector<Share> shares = shares_of(machine, cpus, first);
  int cores = 0, threads = 0;
  for (const Share& share : shares) cores += share.cores, threads += share.threads;
  return members <= cores ? fill(shares, members) : divide(shares, members, threads);
}

}  // namespace vicino::topo
