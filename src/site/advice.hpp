// advice.hpp: settings that would have helped this process, judged by what its regions did, and what
// the runtime has decided for it. Each is one sentence for people, without a full stop.
#pragma once

#include <string>
#include <vector>

namespace vicino::site {

// Advice rests only on what this process has measured, so there is none unless regions are timed
// (times_regions()).
std::vector<std::string> advice();

// What the runtime has decided because OMP_DYNAMIC allows it.
std::vector<std::string> narrowed_regions();

// How the static fractions of loops with f=slack came about, for each loop and size of team.
std::vector<std::string> fractions_by_slack();

}  // namespace vicino::site
