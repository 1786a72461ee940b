#include "sync/layout.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace vicino::sync {

// The participants of one domain form a unit, in the order of their numbers; these need not be
// consecutive.
void Layout::add_level(const std::vector<int>& participants, const std::vector<int>& domain) {
  auto& units = units_[levels_];
  std::vector<int> unit_domain;
  for (int i : participants) {
    const int d = domain[static_cast<size_t>(i)];
    const auto found = std::find(unit_domain.begin(), unit_domain.end(), d);
    const auto unit = static_cast<size_t>(found - unit_domain.begin());
    if (found == unit_domain.end()) {
      unit_domain.push_back(d);
      units.emplace_back();
    }
    units[unit].push_back(i);
  }
  auto& seats = seats_[levels_];
  seats.resize(domain.size());
  for (const auto& unit : units)
    for (size_t rank = 0; rank < unit.size(); ++rank)
      seats[static_cast<size_t>(unit[rank])] = {static_cast<int>(rank), unit};
  size_t largest = 0;
  for (const auto& unit : units) largest = std::max(largest, unit.size());
  first_round_[levels_ + 1] = first_round_[levels_] + static_cast<int>(std::bit_width(largest - 1));
  ++levels_;
}

Layout::Layout(int members, std::span<const std::vector<int>> domains) {
  assert(domains.size() < kMaxLevels);
  std::vector<int> participants(static_cast<size_t>(members));
  std::iota(participants.begin(), participants.end(), 0);

  const auto differ = [](const std::vector<int>& who, const std::vector<int>& domain) {
    std::vector<int> seen;
    for (int i : who) seen.push_back(domain[static_cast<size_t>(i)]);
    std::sort(seen.begin(), seen.end());
    return std::unique(seen.begin(), seen.end()) - seen.begin();
  };
  for (const auto& domain : domains) {
    const auto units = differ(participants, domain);
    if (units == 1 || units == static_cast<long>(participants.size()))
      continue;  // joins all or none
    add_level(participants, domain);
    participants.clear();
    for (const auto& unit : units_[levels_ - 1]) participants.push_back(unit[0]);
  }
  add_level(participants, std::vector<int>(static_cast<size_t>(members), 0));
  if (first_round_[levels_] > kMaxRounds) {
    *this = Layout(members, {});
    return;
  }

  groups_ = static_cast<int>(units_[0].size());
  group_.resize(static_cast<size_t>(members));
  for (int g = 0; g < groups_; ++g)
    for (int i : units_[0][static_cast<size_t>(g)]) group_[static_cast<size_t>(i)] = g;
}

Layout Layout::blocks(int members, int block) {
  std::vector<int> domain(static_cast<size_t>(members));
  for (int i = 0; i < members; ++i) domain[static_cast<size_t>(i)] = i / std::max(block, 1);
  return Layout(members, std::span(&domain, 1));
}

}  // namespace vicino::sync
