// files.hpp: texts that commands write into files.
#pragma once

#include <string>

namespace vicino::cli {

// Writes the text into the file; "-" is standard output. Throws Failure if that fails.
void write_or_print(const std::string& file, const std::string& text);

// Text as XML may hold it, in an element or between double quotes.
std::string in_xml(const std::string& text);

}  // namespace vicino::cli
