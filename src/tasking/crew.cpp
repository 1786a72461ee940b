#include "tasking/crew.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <utility>

#include "task/member_row.hpp"
#include "topo/machine.hpp"

namespace vicino::tasking {
namespace {

// Leaves `count` of the members of a domain, as crew_of() says.
std::vector<int> choose(std::vector<int> members, std::span<const int> core_of, int first,
                        size_t count) {
  const auto at = std::ranges::find(members, first);
  if (at != members.end()) std::rotate(members.begin(), at, at + 1);
  struct Pick {
    int before;  // members on the same core that come earlier
    size_t nth;
    auto operator<=>(const Pick&) const = default;
  };
  std::vector<Pick> picks;
  std::vector<int> on_core;
  for (const int member : members) {
    const int core = core_of[static_cast<size_t>(member)];
    const auto number = static_cast<size_t>(std::max(core, 0));
    if (number >= on_core.size()) on_core.resize(number + 1);
    picks.push_back({core < 0 ? 0 : on_core[number]++, picks.size()});
  }
  const auto end = picks.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::partial_sort(picks, end);
  std::vector<int> chosen;
  std::transform(picks.begin(), end, std::back_inserter(chosen),
                 [&](const Pick& pick) { return members[pick.nth]; });
  std::ranges::sort(chosen);
  return chosen;
}

// All members in the tier's domains, of those that have some.
std::vector<CrewPart> parts_of(const MemberSpots& spots, std::span<const int> tier) {
  std::vector<CrewPart> parts;
  for (const int domain : tier) {
    CrewPart part{domain, {}};
    for (size_t i = 0; i < spots.domain_of.size(); ++i)
      if (spots.domain_of[i] == domain) part.members.push_back(static_cast<int>(i));
    if (!part.members.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

// How many members each part gives, of at most `threads` that are wanted: one in turn, while it has some.
std::vector<size_t> share(std::span<const CrewPart> parts, size_t threads) {
  std::vector<size_t> shares(parts.size());
  for (bool gives = true; gives;) {
    gives = false;
    for (size_t i = 0; i < parts.size() && threads > 0; ++i) {
      if (shares[i] == parts[i].members.size()) continue;
      ++shares[i], --threads;
      gives = true;
    }
  }
  return shares;
}

}  // namespace

std::vector<CrewPart> crew_of(const MemberSpots& spots, const Tiers& tiers, int threads,
                              int first) {
  std::vector<CrewPart> crew;
  auto left = static_cast<size_t>(threads);
  for (const std::span<const int> tier : tiers) {
    if (left == 0) break;
    std::vector<CrewPart> parts = parts_of(spots, tier);
    const std::vector<size_t> shares = share(parts, left);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (shares[i] == 0) continue;
      if (shares[i] < parts[i].members.size())
        parts[i].members = choose(std::move(parts[i].members), spots.core_of, first, shares[i]);
      left -= shares[i];
      crew.push_back(std::move(parts[i]));
    }
  }
  std::ranges::sort(crew, {}, [](const CrewPart& part) { return part.members.front(); });
  return crew;
}

Tiers tier_each(std::span<const int> domains) {
  Tiers tiers;
  for (size_t i = 0; i < domains.size(); ++i) tiers.push_back(domains.subspan(i, 1));
  return tiers;
}

Tiers tier_by_node(std::span<const int> domains, const topo::Machine& machine) {
  Tiers tiers;
  for (size_t begin = 0, end; begin < domains.size(); begin = end) {
    const int node = machine.node_of_near(domains[begin]);
    for (end = begin + 1; end < domains.size() && machine.node_of_near(domains[end]) == node;)
      ++end;
    tiers.push_back(domains.subspan(begin, end - begin));
  }
  return tiers;
}

std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, uint64_t trip, uint64_t units) {
  size_t members = 0;
  for (const CrewPart& part : parts) members += part.members.size();
  const task::Split blocks(trip, {task::Grain::kNone, members, false});
  std::vector<CrewRow> rows;
  rows.reserve(members);
  for (const CrewPart& part : parts) {
    uint64_t in_domain = 0;  // units of this domain so far
    for (const int member : part.members) {
      const size_t nth = rows.size();
      const loop::Range block = nth < blocks.tasks() ? blocks.range(nth) : loop::Range();
      const uint64_t count = std::min(units, block.size());
      const uint64_t strict = task::strict_part(in_domain + count) - task::strict_part(in_domain);
      const uint64_t at_once = std::max(count / kTasksPerThread, uint64_t{1});
      rows.push_back({part.domain, member, block, static_cast<uint32_t>(count),
                      static_cast<uint32_t>(strict), static_cast<uint32_t>(at_once)});
      in_domain += count;
    }
  }
  return rows;
}

std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, const task::Split& tasks) {
  std::vector<CrewRow> rows = crew_rows(parts, tasks.tasks(), kMostTasks);
  for (CrewRow& row : rows) {
    if (row.units == 0) continue;
    const loop::Range numbers = row.iterations;
    row.first_task = numbers.begin;
    row.iterations = {tasks.range(numbers.begin).begin, tasks.range(numbers.end - 1).end};
  }
  return rows;
}

}  // namespace vicino::tasking
