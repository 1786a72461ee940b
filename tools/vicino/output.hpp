// output.hpp: reading what the measured program printed.
#pragma once

#include <optional>
#include <regex>
#include <string>

namespace vicino::cli {

// The program's own figure: what the first group of `pattern` matches (the whole match if it has no
// group), as a positive number. The last line that matches counts, because programs print
// intermediate figures first. The search goes line by line, because std::regex recurses for each
// character and a long text would exhaust the stack.
std::optional<double> read_figure(const std::regex& pattern, const std::string& out,
                                  const std::string& err);

// A message with the first line in which two texts differ; nothing if the texts are equal.
std::optional<std::string> first_difference(const std::string& expected, const std::string& actual);

// The last lines of a text, indented, to stand below a message; empty if the text is empty.
std::string last_lines(const std::string& text);

}  // namespace vicino::cli
