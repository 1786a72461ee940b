// advice.hpp: settings that would have helped this process, judged by what its regions did.
#pragma once

#include <string>
#include <vector>

namespace vicino::site {

// One sentence for each advice, without a full stop. Advice rests only on what this process has
// measured, so there is none unless regions are timed (times_regions()).
std::vector<std::string> advice();

// What the runtime has decided because OMP_DYNAMIC allows it: one sentence each, as in advice().
std::vector<std::string> narrowed_regions();

}  // namespace vicino::site
