#include "team/domains.hpp"

#include <algorithm>

#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// `nearest_first(domain)`: all of `count` domains, the nearest to that one first.
template <class NearestFirst>
DomainsOfMembers find(int count, std::span<const int> domain_of, NearestFirst nearest_first) {
  std::vector<int> first(static_cast<size_t>(count), -1);
  for (size_t i = domain_of.size(); i-- > 0;)
    if (domain_of[i] >= 0) first[static_cast<size_t>(domain_of[i])] = static_cast<int>(i);
  if (std::ranges::all_of(first, [](int member) { return member < 0; }))
    std::ranges::fill(first, 0);
  const auto first_in = [&first](int domain) { return first[static_cast<size_t>(domain)]; };
  DomainsOfMembers found;
  for (int domain = 0; domain < count; ++domain) {
    if (first_in(domain) >= 0) found.used.push_back(domain);
    const int near = *std::ranges::find_if(nearest_first(domain),
                                           [&](int other) { return first_in(other) >= 0; });
    found.near.push_back({near, first_in(near)});
  }
  return found;
}

}  // namespace

DomainsOfMembers domains_of_members(const topo::Machine& machine, std::span<const int> domain_of) {
  return find(machine.near_count(), domain_of,
              [&](int domain) { return machine.near_nearest_first(domain); });
}

DomainsOfMembers nodes_of_members(const topo::Machine& machine, std::span<const int> node_of) {
  return find(machine.count(topo::Level::kNode), node_of,
              [&](int node) { return machine.nodes_nearest_first(node); });
}

}  // namespace vicino::team
