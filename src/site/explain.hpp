// explain.hpp: what the tuner tried at each loop, what it chose and why: VICINO_EXPLAIN.
#pragma once

#include <string>
#include <vector>

namespace vicino::site {

// Writes to standard error, or into a file: then the last lines say where in which file the places are. `more`: sentences
// that come last. If the tuner chose for no loop, explain() says so where is_asked().
void explain(const std::vector<std::string>& more);

// Whether the user expects a report of this process: it is the process that `vicino run` or
// `vicino explain` has become; or VICINO_EXPLAIN is set, it has used OpenMP, and it is no child of
// fork().
bool is_asked();
// Whether this process was made by fork() and has not become another program since.
bool is_forked_child();

// "no loop has left its choice to the tuner: VICINO_EXPLORE=false"
std::string why_nothing_was_tuned();

}  // namespace vicino::site
