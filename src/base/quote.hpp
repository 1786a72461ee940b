// quote.hpp: shows foreign text in Vicino's messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vicino {

// `text` without control characters, for a message of one line.
std::string plain(std::string_view text);
// The same, and short.
std::string printable(std::string_view text);
inline std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }
// The length of the character of UTF-8 at the beginning of `text`, or 0: it has none.
size_t utf8_length(std::string_view text);
// `text` as a JSON string. Bytes that are no UTF-8, as a file name may have them, become U+FFFD.
std::string in_json(std::string_view text);

}  // namespace vicino
