// quote.hpp: shows foreign text in Vicino's messages.
#pragma once

#include <string>
#include <string_view>

namespace vicino {

// `text` as one line of a message can show it: short, and without control characters.
std::string printable(std::string_view text);
inline std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }
// `text` as a JSON string; a file name, for example, may have any characters.
std::string in_json(std::string_view text);

}  // namespace vicino
