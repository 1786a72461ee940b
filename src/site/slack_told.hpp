// slack_told.hpp: how the static fractions of loops with f=slack came about, for people.
#pragma once

#include <string>
#include <vector>

namespace vicino::site {

// One sentence for each loop and size of team, without a full stop.
std::vector<std::string> slack_told();

}  // namespace vicino::site
