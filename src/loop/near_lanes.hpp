// near_lanes.hpp: a block of the loop for each member, the one that a static loop gives it, and
// thieves that go from near to far.
//
// Lane m belongs to member m, whose block is the one that schedule(static) gives it: so a loop
// whose data were first touched under static finds them on its node.
//
// A lane may keep units from other near domains (Machine::near_level()): those below its `d`
// (hierarchical.hpp).
// Invariants: those of part.hpp; and take_or_steal() gives nothing only when each lane was seen
// empty, or, if the lane is in another domain, with nothing from its `d` on.
#pragma once

#include "loop/nearest.hpp"
#include "loop/part.hpp"
#include "loop/plan.hpp"
#include "loop/units.hpp"

namespace vicino::loop {

class NearLanes {
 public:
  // Fills no lane: what a lane begins with is up to the schedule.
  void start(const Plan& plan) noexcept {
    units_ = Units::of(plan.trip);
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    last_.start(plan.trip > 0);
    for (uint32_t m = 0; m < plan.members; ++m) lanes_[m].d.store(0, std::memory_order_relaxed);
  }

  const Units& units() const noexcept { return units_; }
  Lane& of(uint32_t member) noexcept { return lanes_[member]; }
  Part block(uint32_t member) const noexcept {
    return share_of(units_.count(), static_cast<uint32_t>(lanes_.size()), member);
  }
  // The units of a lane that lie below `end` stay in its domain.
  void keep_near(uint32_t member, uint32_t end) noexcept {
    lanes_[member].d.store(end, std::memory_order_relaxed);
  }

  // `count` units of this member's lane. If the lane is empty, it is first filled with half of what
  // the nearest other has left. Empty when all lanes are.
  Range take_or_steal(Cursor& cursor, uint64_t count) noexcept {
    const auto most = static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    do {
      const Part part = take(lanes_[cursor.member], [most](uint32_t) { return most; });
      if (!part.empty()) return units_.range(part.begin, part.end);
    } while (steal_near(cursor));
    return {};
  }

  // For a member that found nothing more.
  Range take_last() noexcept { return last_.take() ? units_.last() : Range{}; }

 private:
  bool steal_near(Cursor& cursor) noexcept {
    return ask_nearest(shape_, static_cast<uint32_t>(lanes_.size()), cursor.member,
                       [&](uint32_t victim, topo::Distance distance) {
                         return victim != cursor.member && steal_from(cursor, victim, distance);
                       });
  }

  bool steal_from(Cursor& cursor, uint32_t victim, topo::Distance distance) noexcept {
    const bool abroad = shape_ != nullptr && shape_->is_apart(distance);
    const uint64_t kept = lanes_[victim].d.load(std::memory_order_relaxed);
    const Part part = steal_half(lanes_[victim], abroad ? static_cast<uint32_t>(kept) : 0);
    if (part.empty()) return false;
    cursor.tally.count_steal(distance);
    lanes_[cursor.member].d.store(abroad ? 0 : kept, std::memory_order_relaxed);
    fill(lanes_[cursor.member], part);
    return true;
  }

  Units units_;
  std::span<Lane> lanes_;
  const Shape* shape_ = nullptr;
  LastUnit last_;
};

}  // namespace vicino::loop
