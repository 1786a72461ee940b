// width_search.hpp: how many threads are best for a call site: ILAN's algorithm 1
// (papers/ilan.txt), with its test for g put before the assignment.
//
// Why    The time of a loop, as a function of its threads, mostly has one minimum. Halving toward
//        it takes a handful of executions where trying all numbers takes one for each.
// Beyond A search that ends at the least number it has tried also looks at one thread. Algorithm 1
//        goes no lower than g, half of all threads on a small machine; but a loop that threads slow
//        down is mostly fastest on one.
// Cost   at most about 2 log2(most / grain) widths, in steps of `grain`, the paper's g. No memory is
//        allocated: a search is made for each execution while a site explores, by whichever thread ends
//        a loop, and a thread's first allocation takes as long as a short loop.
// Not    for curves with several minima: the search ends near one of them.
// Not    the answer: a search is replayed with the estimates of the moment, and when two widths
//        change order it takes another way. The best of all widths that were ever tried is what
//        counts (SiteKnowledge::best_width()), as in the paper, whose table holds all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "base/say.hpp"

namespace vicino::tune {

// The paper's g for a team: the members that a node has if each node of the machine has as many. On
// a machine with two hardware threads to a core it is not the node's cores, which would be half of
// such a share. In a team that has no more members than a node has cores, or only one node, it is a
// quarter of the team: a step of a node would be all of the team.
inline int default_grain(int members, int cores, int nodes) noexcept {
  const bool fits_into_one = nodes == 1 || members <= cores / nodes;
  return std::max(members / (fits_into_one ? 4 : nodes), 1);
}

// The same on a machine with so many cache groups, as many as nodes or more, that threads are kept in (the near
// domains of topo/near.hpp): a step of one of these. A small team fills some of the nodes, so it is not spread over
// all of their groups.
inline int default_grain(int members, int cores, int nodes, int groups) noexcept {
  return std::max(default_grain(members, cores, groups),
                  std::min(default_grain(members, cores, nodes), cores / groups));
}

class WidthSearch {
 public:
  struct Measured {
    int threads;
    double cost;
  };

  // 1 <= most; `grain` is clamped to 1 .. most / 2.
  WidthSearch(int most, int grain) noexcept
      : most_(most), grain_(std::clamp(grain, 1, std::max(most / 2, 1))) {}
  // A search that compares all threads with one, and tries nothing between.
  static WidthSearch of_ends(int most) noexcept {
    WidthSearch search(most, most);
    search.ends_ = true;
    return search;
  }

  // The number of threads to measure next; none when the search has ended.
  std::optional<int> next() const noexcept {
    const auto threads = by_algorithm_1();
    return threads || !ends_at_least() ? threads : std::optional(1);
  }

  void record(int threads, double cost) noexcept {
    VICINO_CHECK(I1, !is_measured(threads));
    if (count_ < places_.size()) places_[count_++] = {threads, cost};
  }

  // The best of those measured; all threads before anything was measured.
  int best() const noexcept { return count_ == 0 ? most_ : leaders().best; }

 private:
  struct Leaders {
    int best, second;
  };

  // In the order of the search.
  std::span<const Measured> table() const noexcept { return {places_.data(), count_}; }

  std::optional<int> by_algorithm_1() const noexcept {
    if (count_ == 0) return most_;
    if (count_ == 1) return most_ > 1 ? std::optional(ends_ ? 1 : most_ / 2) : std::nullopt;
    if (ends_) return std::nullopt;
    const auto [best, second] = leaders();
    if (count_ == 2 && best < second) return best > grain_ ? std::optional(grain_) : std::nullopt;
    const int apart = std::abs(best - second);
    if (apart <= grain_) return std::nullopt;
    const int middle = std::min(best, second) + apart / 2 / grain_ * grain_;
    return is_measured(middle) ? std::nullopt : std::optional(middle);
  }

  bool ends_at_least() const noexcept {
    const int best = this->best();
    return best > 1 &&
           std::ranges::none_of(table(), [=](const Measured& m) { return m.threads < best; });
  }

  bool is_measured(int threads) const noexcept {
    return std::ranges::any_of(table(), [=](const Measured& m) { return m.threads == threads; });
  }

  Leaders leaders() const noexcept {
    const std::span<const Measured> table = this->table();
    Measured best = table[0], second = table[0];
    for (size_t i = 1; i < table.size(); ++i) {
      if (table[i].cost < best.cost) {
        second = best;
        best = table[i];
      } else if (i == 1 || table[i].cost < second.cost) {
        second = table[i];
      }
    }
    return {best.threads, second.threads};
  }

  int most_, grain_;
  bool ends_ = false;
  // More than a search for any number of threads tries: it halves the distance of the best two.
  std::array<Measured, 64> places_;
  size_t count_ = 0;
};

}  // namespace vicino::tune
