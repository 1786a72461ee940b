// team_loops.hpp: the worksharing loops that a team has open.
#pragma once

#include <memory>
#include <span>

#include "loop/ring.hpp"
#include "team/tuned_run.hpp"

namespace vicino::team {

class TeamLoops {
 public:
  // Makes room for n members; called between regions only.
  void reserve(int n) {
    for (auto& lanes : lanes_) lanes = std::make_unique<loop::Lane[]>(static_cast<size_t>(n));
  }

  loop::Ring& ring() noexcept { return ring_; }
  // The lanes and the tuned run of loop `number`; they are in use as long as its slot in the ring.
  std::span<loop::Lane> lanes(uint64_t number, uint32_t members) noexcept {
    return {lanes_[number % loop::Ring::kSlots].get(), members};
  }
  TunedRun& tuned_run(uint64_t number) noexcept { return tuned_runs_[number % loop::Ring::kSlots]; }

 private:
  std::unique_ptr<loop::Lane[]> lanes_[loop::Ring::kSlots];
  loop::Ring ring_;
  TunedRun tuned_runs_[loop::Ring::kSlots];
};

}  // namespace vicino::team
