// stats.hpp: prints what was counted (counts.hpp): VICINO_STATS.
#pragma once

namespace vicino::site {

// At the process's end, if the setting asks for it: as tables on standard error or as JSON in a
// file.
void print_stats();

}  // namespace vicino::site
