// schedules.hpp: the registry of loop schedules as text for people.
#pragma once

#include <string>

namespace vicino::config {

// The text for `vicino schedules` and its manual page, and the table of docs/reference/schedules.md.
std::string schedules_help();
std::string schedules_markdown();

}  // namespace vicino::config
