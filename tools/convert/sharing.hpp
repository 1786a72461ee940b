// sharing.hpp: whose variables a loop uses, for loops that are to become tasks.
//
// Why    In `omp for` a thread runs its iterations with its own copies of what is private to it. In
//        a taskloop the tasks get copies of what the one thread has that makes them: another value,
//        or an array of that thread's which all tasks then share. That is right only for variables
//        that each iteration gives a value before it reads them.
#pragma once

#include <optional>
#include <string>

#include "syntax.hpp"

namespace vicino::convert {

// Why tasks cannot run the iterations of an `omp for`, or nothing.
std::optional<std::string> needs_own_thread(const View& view, const Directive& directive,
                                            const Node& loop);

}  // namespace vicino::convert
