// wrap.hpp: wraps help text into lines that fit a screen.
#pragma once

#include <string>
#include <string_view>

namespace vicino::config {

// Appends `text` in lines of at most 80 characters, each indented by four.
void append_wrapped(std::string& out, std::string_view text);

}  // namespace vicino::config
