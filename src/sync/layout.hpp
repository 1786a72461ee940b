// layout.hpp: which members of a team communicate at its barriers: first those of a cache group,
// then those of a package, then those of the machine.
//
// A team's members 0..n-1 are cut into units, level by level: level 0 has the members themselves,
// in units of one cache group; level 1 has the leaders (first members) of those units, in units of
// one package; and so on until one unit holds all. A level that would join nothing is left out, so a
// team inside one cache group has one level.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vicino::sync {

// One member's place in one level.
struct Seat {
  int rank = 0;                // among the unit's participants; 0 leads
  std::span<const int> peers;  // the participants' member numbers, by rank
  int size() const noexcept { return static_cast<int>(peers.size()); }
  int leader() const noexcept { return peers[0]; }
};

class Layout {
 public:
  static constexpr int kMaxLevels = 3;
  static constexpr int kMaxRounds = 16;  // over all levels

  Layout() = default;
  Layout(Layout&&) = default;
  Layout& operator=(Layout&&) = default;

  // `domains[l][i]`: the domain of level l (cache group, package, innermost first) in which member i
  // is; the numbers are only compared. There are at most kMaxLevels - 1 levels of domains: the last
  // level is the team. Domains so uneven that the levels need more than kMaxRounds are ignored. At
  // most 2^14 members.
  Layout(int members, std::span<const std::vector<int>> domains);

  // `members` in blocks of `block`, for teams whose threads are not bound.
  static Layout blocks(int members, int block);

  int levels() const noexcept { return levels_; }

  // Member i's seat at a level. A member has a seat there if it leads its unit at each level below.
  const Seat& seat(int level, int i) const noexcept {
    return seats_[level][static_cast<size_t>(i)];
  }

  // The number of dissemination rounds that the levels below this one take, at most: the index at
  // which the level's flags begin. The same for all members, whatever the size of their units.
  int first_round(int level) const noexcept { return first_round_[level]; }

  // The unit of level 0 that member i is in, counted from 0; and the number of these units.
  int group(int i) const noexcept { return group_[static_cast<size_t>(i)]; }
  int groups() const noexcept { return groups_; }

 private:
  void add_level(const std::vector<int>& participants, const std::vector<int>& domain);

  int levels_ = 0;
  int first_round_[kMaxLevels + 1] = {};
  int groups_ = 0;
  std::vector<Seat> seats_[kMaxLevels];
  std::vector<std::vector<int>> units_[kMaxLevels];  // what the seats' spans point into
  std::vector<int> group_;
};

}  // namespace vicino::sync
