// page_profile.hpp: what became of pages that one thread filled (pages/trial.hpp), to be told at the
// process's end and kept in the profile.
//
// Key    the region before which the pages were moved, and its number of threads. The default is to
//        leave the pages; costs are those of the program's stretches, in nanoseconds.
#pragma once

#include <string>
#include <vector>

#include "pages/trial.hpp"
#include "tune/profile.hpp"

namespace vicino::site {

// What the profile has of the region. The caller does not hold the Cold lock.
pages::Earlier earlier_pages(const void* function, int members);

// Keeps what was found. By the thread that watches pages.
void keep(const pages::Outcome& outcome, int members);

// What this process has found, a sentence each. Takes the Cold lock.
std::vector<std::string> placed_pages();
// The same for its profile. At its end.
std::vector<tune::ProfileEntry> page_entries();

}  // namespace vicino::site
