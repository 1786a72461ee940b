// wrap.hpp: help in lines that fit a screen.
#pragma once

#include <string>
#include <string_view>

namespace vicino::config {

// `text` in lines of at most 80 characters, each indented by four.
void append_wrapped(std::string& out, std::string_view text);

}  // namespace vicino::config
