// quote.hpp: text of others in a message of ours.
#pragma once

#include <string>
#include <string_view>

namespace vicino {

// `text` as one line of a message can show it: short, and nothing that a terminal would obey.
std::string printable(std::string_view text);
inline std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

}  // namespace vicino
