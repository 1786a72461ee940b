// kinds.hpp: on which kinds of cores a team's members run, for static loops that are cut by the speeds of these
// kinds (loop/kind_cuts.hpp; site/kinds.hpp says when).
//
// A member that is bound to cores of one kind is on these; the kernel moves the others, and they look where they
// are at each loop.
#pragma once

#include <cstdint>
#include <vector>

#include "loop/kind_cuts.hpp"

namespace vicino::team {

// The kind of all cores of a spot (places.hpp); kUnknown for -1, and where there are several.
int8_t kind_of_spot(int spot);

// The kind of the core that the caller runs on.
int kind_here() noexcept;

struct KindsOfMembers {
  loop::KindCuts cuts;

  // By one member, as KindCuts::fix() has it. `changes`: Arrangement::changes(); spot_of(m): the spot of member m.
  template <class SpotOf>
  void fix(int members, uint64_t changes, SpotOf spot_of, loop::History history) {
    if (bound_.size() != static_cast<std::size_t>(members) || bound_after_ != changes) {
      bound_.clear();
      for (int m = 0; m < members; ++m) bound_.push_back(kind_of_spot(spot_of(m)));
      bound_after_ = changes;
    }
    cuts.fix(bound_, kind_here, history);
  }

 private:
  std::vector<int8_t> bound_;
  uint64_t bound_after_ = 0;
};

}  // namespace vicino::team
