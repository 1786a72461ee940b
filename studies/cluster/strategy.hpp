// strategy.hpp: what the paper's figure 6 compares, and the schedules of src/loop that stand for it.
#pragma once

#include <array>
#include <string_view>

namespace cluster {

struct Strategy {
  std::string_view name, schedule;  // the paper's name; the registry's
  bool slack;                       // the static fraction heeds the call site's slack
  bool paper;                       // is in the paper's figure
};

// OpenMP's dynamic schedule was one counter for all threads in the paper's time; Vicino's dynamic
// begins with shares of its own for each member, which is another strategy.
inline constexpr std::array kStrategies = {
    Strategy{"static", "static", false, true}, Strategy{"dynamic", "dynamic_shared", false, true},
    Strategy{"guided", "guided", false, true}, Strategy{"uSched", "mixed", false, true},
    Strategy{"callsite", "mixed", true, true}, Strategy{"vSched", "vsched", false, true},
    Strategy{"full", "vsched", true, true},    Strategy{"shares", "dynamic", false, false},
};

}  // namespace cluster
