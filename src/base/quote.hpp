// quote.hpp: shows foreign text in Vicino's messages.
#pragma once

#include <string>
#include <string_view>

namespace vicino {

// `text` without control characters, for a message of one line.
std::string plain(std::string_view text);
// The same, and short.
std::string printable(std::string_view text);
inline std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }
// `text` as a JSON string; a file name, for example, may have any characters.
std::string in_json(std::string_view text);

}  // namespace vicino
