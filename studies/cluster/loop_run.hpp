// loop_run.hpp: one execution of one loop by a simulated team, with a schedule of the registry.
//
// As in the product, the first member to come starts the schedule, and the others wait for that.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "loop/registry.hpp"
#include "plat/plat.hpp"

namespace cluster {

using vicino::sim::kNanosecond;
using vicino::sim::Time;

class LoopRun {
 public:
  explicit LoopRun(vicino::sim::Team& team)
      : team_(team), lanes_(team.size()), tallies_(team.size()) {}

  // `plan`: without members and lanes. run(range) is called in the member that got the range, and
  // spends its time by Team::work(). `begins`: when each member comes to the loop.
  template <class Run>
  void operator()(const vicino::loop::Row& row, vicino::loop::Plan plan,
                  std::span<const Time> begins, uint64_t seed, Run run) {
    plan.members = team_.size();
    plan.lanes = lanes_;
    state_.claimed = 0;
    state_.open = 0;
    team_.run(begins, seed, [&](uint32_t member) {
      vicino::loop::Cursor cursor;
      cursor.member = member;
      if (row.shared) start(row, plan);
      row.enter(state_.schedule.data(), plan, cursor);
      for (;;) {
        const vicino::loop::Range range = row.next(state_.schedule.data(), cursor);
        if (range.empty()) break;
        run(range);
      }
      tallies_[member] = cursor.tally;
    });
  }

  // Of the last execution.
  const vicino::loop::Tally& tally(uint32_t member) const { return tallies_[member]; }

 private:
  struct Forever {
    uint64_t ns = vicino::plat::kForever;
  };
  // As a slot of the ring (loop/ring.hpp) has it.
  struct alignas(vicino::kLinePair) State {
    vicino::plat::atomic<uint32_t> claimed{0}, open{0};
    alignas(vicino::kLinePair) std::array<std::byte, vicino::loop::kSharedSize> schedule;
  };

  void start(const vicino::loop::Row& row, const vicino::loop::Plan& plan) {
    if (state_.open.load() != 0) return;
    if (state_.claimed.exchange(1) == 0) {
      row.start(state_.schedule.data(), plan);
      state_.open.store(1);
    } else {
      vicino::plat::wait_on(state_.open, 0u, Forever{});
    }
  }

  vicino::sim::Team& team_;
  std::vector<vicino::loop::Lane> lanes_;
  std::vector<vicino::loop::Tally> tallies_;
  State state_;
};

}  // namespace cluster
