// shape.hpp: where a team's members sit, as a loop schedule sees it.
//
// Members are put in a row in which those of one cache group, of one node and of one package are
// neighbours; a member's place in the row is its position. Where the team's numbers follow the
// machine, as they do when threads are bound close or spread, position and number are equal.
// Cost   built when a team takes a new shape, read-only afterwards.
//
// Invariants (check())
//  I1 position() and member_at() are each other's inverse.
//  I2 what outward(p) lists tiles all positions; the first is p's own cache group.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "topo/distance.hpp"

namespace vicino::loop {

// Domains by number; only their equality matters.
struct Spot {
  int cache_group = 0, node = 0, package = 0;
};

// Positions [begin, end), all equally far from the member that asks.
struct Interval {
  uint32_t begin = 0, end = 0;
  topo::Distance distance = topo::Distance::kUnbound;
  uint32_t size() const noexcept { return end - begin; }
  bool operator==(const Interval&) const = default;
};

class Shape {
 public:
  // How far node b is from node a, in any measure.
  using Far = std::function<unsigned(int node_a, int node_b)>;

  // A shape for threads that sit on these spots, by member. `near`: the distance within a near domain
  // (topo::Machine::near_level()).
  Shape(std::span<const Spot> spots, const Far& far, topo::Distance near = topo::Distance::kNode);
  // A shape for threads that are not bound: near numbers are put in one group all the same.
  static Shape blocks(uint32_t members, uint32_t cache_group, uint32_t node);

  uint32_t members() const noexcept { return static_cast<uint32_t>(position_.size()); }
  uint32_t position(uint32_t member) const noexcept { return position_[member]; }
  uint32_t member_at(uint32_t position) const noexcept { return member_at_[position]; }

  // The cache group and the node around a position.
  Interval cache_group(uint32_t position) const noexcept { return outward(position).front(); }
  Interval node(uint32_t position) const noexcept { return nodes_[node_of_[position]]; }
  uint32_t nodes() const noexcept { return static_cast<uint32_t>(nodes_.size()); }

  // All positions, the nearest first.
  std::span<const Interval> outward(uint32_t position) const noexcept {
    return outward_[group_of_[position]];
  }

  // The distance between two members.
  topo::Distance distance(uint32_t member_a, uint32_t member_b) const noexcept;

  // Whether two members at this distance are in different near domains. False where threads are not
  // bound, since nobody knows.
  bool is_apart(topo::Distance distance) const noexcept {
    return distance != topo::Distance::kUnbound && distance > near_;
  }

  bool check() const;

 private:
  void sort_members(std::span<const Spot> spots);
  void find_nodes(std::span<const Spot> spots);
  void look_outward(std::span<const Spot> spots, const Far& far);

  topo::Distance near_;
  std::vector<uint32_t> position_, member_at_;
  std::vector<uint32_t> node_of_, group_of_;  // by position
  std::vector<Interval> nodes_;
  std::vector<std::vector<Interval>> outward_;  // by cache group
};

}  // namespace vicino::loop
