// first_folder.hpp: the folder in which the process was when this code was loaded. Names of files in variables
// are meant from there, and a program may change its folder before they are read.
#pragma once

#include <string>

namespace vicino {

// The path as it is, if it is absolute or the folder is not known.
std::string from_first_folder(const std::string& path);

}  // namespace vicino
