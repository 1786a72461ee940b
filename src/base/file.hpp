// file.hpp: small files of the kernel, read whole.
//
// Not    an fstream: one would bring the locale machinery into a library that is preloaded into
//        other people's programs, and read numbers the way the program's locale writes them.
#pragma once

#include <string>
#include <string_view>

namespace vicino {

// "" if the file cannot be read.
std::string read_file(const std::string& path);

// Takes what comes before the next `separator`, and the separator, off the front of `text`.
std::string_view take_until(std::string_view& text, char separator);

}  // namespace vicino
