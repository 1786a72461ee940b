// kind_cuts.hpp: where cores differ, static blocks are cut by the speeds that the kinds of cores had.
//
// Why    A static loop of equal blocks ends when its slowest core does: 8 strong cores and 8 of 0.55
//        of their speed are worth 8.8 strong ones then, and not 12.4. But OpenMP promises that within
//        one parallel region static loops with equal numbers of iterations give equal iterations to
//        equal threads, and programs without a barrier between two loops rely on it.
// Region So the first static loop of a region fixes a weight for each member, and all static loops of
//        the region are cut by these weights: a block follows from the trip count, the member and the
//        weights alone. Weights change between regions only.
// Speed  What is learnt is the speed of a kind of cores beside the most powerful kind of the team, by
//        call site of a region's first static loop, from all static loops of its regions: the median of
//        the members' iterations per time. Members on cores of one kind have equal blocks whatever
//        disturbs one of them, and no cost of iterations that grows along a loop is taken for a slow
//        core, as by weighted.hpp, whose cuts would make the region's other loops worse.
// Noise  A speed moves half way to the nearest of the last kWindow measurements if all of these lie on
//        one side of it. A weaker kind never counts as faster than a more powerful one.
// Cost   A region's first static loop takes a slot of the ring (ring.hpp), in which one member passes
//        over the team. Each loop costs its members two readings of the clock; and of the CPU's number,
//        where they are not bound to cores of one kind.
// Not    from loops whose blocks wait for each other, as ordered ones do: they are cut, and not timed.
//        Not for teams whose members run on one kind of cores: their blocks are those of static_block.hpp.
// See    docs/design/weighted.md; Saez and others: "AID: Asymmetric Iteration Distribution".
//
// Invariants
//  I1 tile   the members' blocks of one trip count are disjoint and cover the loop.
//  I2 fixed  from fix() to the next one, block() is a function of trip count and member.
//
// Memory order: the first member at a region's first static loop calls fix(), while it sets up the
// slot of that loop.
//  (1) the other members' reads of the weights, and their writes of their own rows, come after R2 of
//      ring.hpp, which each of them passes before any block;
//  (2) fix() comes after all that members did in the last region, by F1 and F2 of region/fork.cpp.
// So nothing here is atomic but the history, which concurrent teams may share: it holds hints.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "loop/registry.hpp"

namespace vicino::loop {

class KindCuts {
 public:
  static constexpr int kKinds = 4;  // more powerful kinds count as the last of these
  static constexpr int kUnknown = -1;
  static constexpr uint32_t kFull = 1 << 16;     // the speed of the most powerful kind
  static constexpr uint32_t kLeast = kFull / 8;  // no kind counts as slower
  // The words for each kind: its speed, or 0; how many measurements there were; the last of them.
  static constexpr std::size_t kWindow = 8;
  static constexpr std::size_t kWords = kKinds * (2 + kWindow);

  // `bound`: for each member the kind of all cores that it is bound to, or kUnknown. `here` tells the
  // kind of the core that its caller runs on.
  using KindHere = int() noexcept;
  void fix(std::span<const int8_t> bound, KindHere* here, History history);

  Range block(uint64_t trip, uint32_t member) const noexcept;
  // The member begins its block, and has run it. began() returns the time, or 0 where none is needed.
  uint64_t began(uint32_t member) noexcept;
  void ended(uint32_t member, uint64_t iterations, uint64_t began) noexcept;

  // The speed that a site's history has for a kind; kFull where nothing is known.
  static uint32_t speed_in(const History& history, int kind) noexcept;
  static bool has_measured(const History& history, int kind) noexcept;

 private:
  struct alignas(kLinePair) Row {
    uint64_t iterations = 0, ns = 0;  // in this region, on cores of `kind`
    int8_t kind = kUnknown;           // of the core that the member ran on last
    int8_t cut_for = kUnknown;        // what `kind` was when the weights were fixed
    bool is_bound = false;
  };

  void learn();
  void settle(std::span<const int8_t> bound);
  void weigh();
  uint64_t end_of(uint64_t trip, uint32_t weight) const noexcept;

  std::vector<Row> rows_;
  std::vector<uint32_t> sums_;  // of the weights of the members before each one; then of all
  std::vector<double> rates_;   // for learn()
  History history_;
  KindHere* here_ = nullptr;
  uint32_t least_ = kFull;  // weight
  bool is_even_ = true;     // all weights are equal
  bool measures_ = false;
  int unrest_ = 0;  // how often members were found on cores of another kind lately
};

// A schedule whose shared object is a KindCuts that has been fixed; it is not in the registry, for no
// setting can name it for a single loop.
const Row& by_kinds() noexcept;

}  // namespace vicino::loop
