// explain.hpp: what the tuner tried at each loop, what it chose and why: VICINO_EXPLAIN.
#pragma once

#include <string>

namespace vicino::team {

// On standard error. If it chose for no loop that is said, where is_asked().
void explain();

// Whether this process is the one that somebody waits for a report of: that `vicino run` or
// `vicino explain` became; or with VICINO_EXPLAIN one that has used OpenMP, and no child of its.
bool is_asked();

// "no loop has left its choice to the tuner: VICINO_EXPLORE=false"
std::string why_nothing_was_tuned();

}  // namespace vicino::team
