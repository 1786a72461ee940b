// nowait.hpp: which loops may rely on each other's static distribution.
//
// Why    Two loops with the same static schedule give each thread the same iterations. So the
//        second may use the results of the first although no thread waited between them: `nowait`
//        is right there as long as both loops stay static. Whether the second uses these results
//        cannot be told; whether a barrier stands between the two loops can.
// How    The walk goes through each function as it would run, with the set of open loops: the
//        static nowait loops that no barrier has closed. It takes both ways of an `if`, repeats
//        loops until the set no longer grows, and follows calls into the functions that are known.
//        A static loop that is met while the set is not empty is tied to all loops in it. A nowait
//        loop is also tied if it is open at the end of a function outside of a parallel region, or
//        at a call of an unknown function: another static loop may follow there.
// Not    seen: nowait loops that an unknown function, of a file that was not named, leaves open.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "unit.hpp"

namespace vicino::convert {

// A place in a file; it is the same for each compilation that includes the file.
struct Site {
  std::string path;
  size_t offset = 0;

  friend auto operator<=>(const Site&, const Site&) = default;
};

// The reason for each loop that has to keep its static schedule.
using Ties = std::map<Site, std::string>;

Ties find_ties(const std::vector<Unit>& units);

// Whether each thread's iterations are known beforehand. This holds without a schedule clause too,
// because compilers then take `static`.
bool is_static(const Directive& loop);

}  // namespace vicino::convert
