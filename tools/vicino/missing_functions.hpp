// missing_functions.hpp: what a program asks an OpenMP runtime for and Vicino does not have.
//
// Why    The dynamic loader says so too, but for a function only when the program calls it, which may
//        be after hours, and it does not say which runtime has the function.
#pragma once

#include <filesystem>
#include <string>

#include "environment.hpp"

namespace vicino::cli {

// Why the program cannot run on the runtime `library`: a sentence that names the first few
// functions and versions that are missing, the file that asks for each, and the runtime that has
// it. Empty if nothing is missing, as far as can be seen from the program's files.
std::string missing_for(const std::filesystem::path& program, const Environment& environment,
                        const std::filesystem::path& library);

}  // namespace vicino::cli
