// nowait.hpp: which loops may rely on each other's static distribution.
//
// Why    Two loops with the same static schedule give each thread the same iterations, so the
//        second may use what the first made although nobody waited between them: `nowait` is right
//        there as long as both stay static. Whether they do use it is more than can be told; that
//        no barrier stands between them can.
// How    Each function is walked as it would run, with the set of static nowait loops that no
//        barrier has closed: both ways of an `if`, loops until the set no longer grows, calls into
//        the functions that are there. A static loop that is met while the set is not empty is tied
//        to all in it. So is a nowait loop to the end of a function outside of a parallel region,
//        and to a call of a function that cannot be seen: another such loop may follow there.
// Not    seen: functions of files that were not named, before the first nowait loop.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "unit.hpp"

namespace vicino::convert {

// A place in a file, the same for each compilation that includes the file.
struct Site {
  std::string path;
  size_t offset = 0;

  friend auto operator<=>(const Site&, const Site&) = default;
};

// Why a loop has to keep its static schedule.
using Ties = std::map<Site, std::string>;

Ties find_ties(const std::vector<Unit>& units);

// Whether each thread's iterations are known beforehand: also without a schedule clause, because
// compilers then take `static`.
bool is_static(const Directive& loop);

}  // namespace vicino::convert
