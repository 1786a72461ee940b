// output.hpp: reading what the measured program printed.
#pragma once

#include <optional>
#include <regex>
#include <string>

namespace vicino::cli {

// The program's own figure: the first group of `pattern` (all of the match if it has no group) as a
// positive number, at the last line that matches: programs print intermediate figures first.
// Line by line, because std::regex recurses per character and a long text would exhaust the stack.
std::optional<double> read_figure(const std::regex& pattern, const std::string& out,
                                  const std::string& err);

// The first line in which two texts differ, shown for people; nothing if they are the same.
std::optional<std::string> first_difference(const std::string& expected, const std::string& actual);

// The end of a text, indented, to stand below a message; empty if the text is.
std::string last_lines(const std::string& text);

}  // namespace vicino::cli
