// known_modules.hpp: what is known of the library that a region belongs to (config/known_modules.hpp), looked up once for
// a region.
//
// A library that is loaded after another was unloaded may lie at its address: then all is looked up anew.
// Regions are kept beside the sites: these are for loops, have a limit, and a loop beyond it has no rule.
// Memory order: all is read and written under the Cold lock.
#pragma once

#include <string>

#include "config/known_modules.hpp"

namespace vicino::site {

// `function`: the region's. It may have been loaded at any time.
config::FewerThreads fewer_threads(const void* function);
// A region of a library that allows it had fewer threads than it asked for.
void note_fewer_threads(const void* function);

// The libraries whose regions had fewer threads for this reason: "lib_lightgbm and _loss"; empty: none.
std::string modules_with_fewer();

}  // namespace vicino::site
