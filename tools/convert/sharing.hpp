// sharing.hpp: which thread's variables a loop uses, for loops that are to become tasks.
//
// Why    In an `omp for` each thread runs its iterations with its own private variables. In a
//        taskloop the tasks get copies of the variables of the one thread that makes them: these
//        have another value, or refer to an array of that thread, which all tasks then share. A
//        taskloop is right only if each iteration gives these variables a value before it reads
//        them.
#pragma once

#include <optional>
#include <string>

#include "syntax.hpp"

namespace vicino::convert {

// Why tasks cannot run the iterations of an `omp for`, or nothing.
std::optional<std::string> needs_own_thread(const View& view, const Directive& directive,
                                            const Node& loop);

}  // namespace vicino::convert
