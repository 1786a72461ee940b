// team_loops.hpp: the worksharing loops that a team has open.
#pragma once

#include <memory>
#include <span>

#include "loop/ring.hpp"
#include "team/kinds.hpp"

namespace vicino::region {
class TunedRun;
}

namespace vicino::team {

class TeamLoops {
 public:
  // Makes room for n members; called between regions only.
  void reserve(int n) {
    for (auto& lanes : lanes_) lanes = std::make_unique<loop::Lane[]>(static_cast<size_t>(n));
  }

  loop::Ring& ring() noexcept { return ring_; }
  // The lanes of loop `number`, and its tuned run, null before the first one in its slot of the ring; they
  // are in use as long as the slot.
  std::span<loop::Lane> lanes(uint64_t number, uint32_t members) noexcept {
    return {lanes_[number % loop::Ring::kSlots].get(), members};
  }
  std::shared_ptr<region::TunedRun>& tuned_run(uint64_t number) noexcept {
    return tuned_runs_[number % loop::Ring::kSlots];
  }
  KindsOfMembers& kinds() noexcept { return kinds_; }

 private:
  std::unique_ptr<loop::Lane[]> lanes_[loop::Ring::kSlots];
  loop::Ring ring_;
  std::shared_ptr<region::TunedRun> tuned_runs_[loop::Ring::kSlots];
  KindsOfMembers kinds_;
};

}  // namespace vicino::team
