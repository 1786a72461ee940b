#include "loop/shape.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "base/say.hpp"
#include "base/stable_sort.hpp"

namespace vicino::loop {
namespace {

using topo::Distance;

using Level = int Spot::*;
constexpr std::array<Level, 3> kLevels = {&Spot::cache_group, &Spot::node, &Spot::package};

// The first member in each domain of a level, by domain.
std::map<int, uint32_t> firsts(std::span<const Spot> spots, Level level) {
  std::map<int, uint32_t> first;
  for (uint32_t m = 0; m < spots.size(); ++m) first.try_emplace(spots[m].*level, m);
  return first;
}

// Runs of neighbours for which `same(position, next position)` holds.
template <class Same>
std::vector<Interval> runs(uint32_t members, Same same) {
  std::vector<Interval> found;
  for (uint32_t p = 0; p < members; ++p)
    if (p > 0 && same(p - 1, p))
      ++found.back().end;
    else
      found.push_back({p, p + 1});
  return found;
}

std::vector<uint32_t> by_position(std::span<const Interval> intervals, uint32_t members) {
  std::vector<uint32_t> index(members);
  for (uint32_t i = 0; i < intervals.size(); ++i)
    for (uint32_t p = intervals[i].begin; p < intervals[i].end; ++p) index[p] = i;
  return index;
}

Distance between(const Spot& a, const Spot& b) {
  if (a.cache_group == b.cache_group) return Distance::kCacheGroup;
  if (a.node == b.node) return Distance::kNode;
  return a.package == b.package ? Distance::kPackage : Distance::kMachine;
}

}  // namespace

Shape::Shape(std::span<const Spot> spots, const Far& far, Distance near) : near_(near) {
  sort_members(spots);
  find_nodes(spots);
  look_outward(spots, far);
  VICINO_CHECK(I1, check());
}

Shape Shape::blocks(uint32_t members, uint32_t cache_group, uint32_t node) {
  std::vector<Spot> spots;
  for (uint32_t m = 0; m < members; ++m)
    spots.push_back({static_cast<int>(m / cache_group), static_cast<int>(m / node), 0});
  Shape shape(spots, [](int a, int b) { return static_cast<unsigned>(a > b ? a - b : b - a); });
  for (auto& list : shape.outward_)
    for (Interval& interval : list) interval.distance = Distance::kUnbound;
  return shape;
}

// Sorts members by the first member of their domain at each level, a level of fewer domains before
// the others. So each domain's members are neighbours, and numbers that follow the machine stay.
void Shape::sort_members(std::span<const Spot> spots) {
  std::array<std::map<int, uint32_t>, kLevels.size()> first;
  for (size_t l = 0; l < kLevels.size(); ++l) first[l] = firsts(spots, kLevels[l]);
  std::array<size_t, kLevels.size()> outermost_first = {2, 1, 0};
  vicino::stable_sort(outermost_first, [&](size_t l) { return first[l].size(); });
  const auto key = [&](uint32_t m) {
    std::array<uint32_t, kLevels.size() + 1> k{};
    for (size_t i = 0; i < kLevels.size(); ++i) {
      const size_t l = outermost_first[i];
      k[i] = first[l].at(spots[m].*kLevels[l]);
    }
    k.back() = m;
    return k;
  };
  member_at_.resize(spots.size());
  std::iota(member_at_.begin(), member_at_.end(), 0u);
  std::ranges::sort(member_at_, {}, key);
  position_.resize(spots.size());
  for (uint32_t p = 0; p < spots.size(); ++p) position_[member_at_[p]] = p;
}

void Shape::find_nodes(std::span<const Spot> spots) {
  nodes_ = runs(members(), [&](uint32_t p, uint32_t q) {
    return spots[member_at_[p]].node == spots[member_at_[q]].node;
  });
  for (Interval& node : nodes_) node.distance = Distance::kNode;
  node_of_ = by_position(nodes_, members());
}

void Shape::look_outward(std::span<const Spot> spots, const Far& far) {
  const auto groups = runs(members(), [&](uint32_t p, uint32_t q) {
    return between(spots[member_at_[p]], spots[member_at_[q]]) == Distance::kCacheGroup;
  });
  group_of_ = by_position(groups, members());
  for (const Interval& own : groups) {
    const Spot& here = spots[member_at_[own.begin]];
    const auto distance = [&](const Interval& other) {
      const Spot& there = spots[member_at_[other.begin]];
      return std::tuple(other.begin != own.begin, far(here.node, there.node), between(here, there));
    };
    std::vector<Interval> others = groups;
    vicino::stable_sort(others, distance);
    std::vector<Interval>& list = outward_.emplace_back();
    for (const Interval& other : others) {
      if (!list.empty() && list.back().end == other.begin &&
          distance(list.back()) == distance(other))
        list.back().end = other.end;
      else
        list.push_back({other.begin, other.end, std::get<2>(distance(other))});
    }
  }
}

Distance Shape::distance(uint32_t member_a, uint32_t member_b) const noexcept {
  const uint32_t there = position(member_b);
  for (const Interval& interval : outward(position(member_a)))
    if (there >= interval.begin && there < interval.end) return interval.distance;
  return Distance::kUnbound;
}

bool Shape::check() const {
  for (uint32_t m = 0; m < members(); ++m)
    if (position_[m] >= members() || member_at_[position_[m]] != m) return false;
  for (uint32_t p = 0; p < members(); ++p) {
    std::vector<Interval> all(outward(p).begin(), outward(p).end());
    if (p < all.front().begin || p >= all.front().end) return false;
    std::ranges::sort(all, {}, &Interval::begin);
    uint32_t at = 0;
    for (const Interval& interval : all) {
      if (interval.begin != at || interval.end <= at) return false;
      at = interval.end;
    }
    if (at != members()) return false;
  }
  return true;
}

}  // namespace vicino::loop
