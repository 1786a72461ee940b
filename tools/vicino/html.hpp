// html.hpp: what the pages of `vicino report` and `vicino compare` are made of.
//
// A page is one file: its style, its script and its data are in it, and it asks nobody for more.
#pragma once

#include <string>
#include <string_view>

namespace vicino::cli {

// Foreign text between tags or in a quoted attribute: control characters and what is no UTF-8 are
// replaced.
std::string in_html(std::string_view text);

// "1,234,567"
std::string with_commas(uint64_t count);

// A table, or another wide thing, that scrolls in its own box, also by keys. `name` is what a screen
// reader calls it.
std::string scrolling(std::string_view name, std::string_view content);

// A command that can be pasted. Its button appears where there is JavaScript.
std::string command_block(std::string_view command);

// The whole file. `body` is HTML, `title` is text.
std::string html_page(std::string_view title, std::string_view body);

// Of page/, put in by CMake.
extern const std::string_view kPageStyle, kPageScript;

}  // namespace vicino::cli
