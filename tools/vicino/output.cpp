#include "output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <sstream>

namespace vicino::cli {
namespace {

constexpr size_t kShownLines = 5;
constexpr size_t kShownColumns = 200;

std::optional<double> positive_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = end != text.c_str() && *end == '\0';
  return whole && value > 0 && value < HUGE_VAL ? std::optional(value) : std::nullopt;
}

std::optional<double> last_figure(const std::regex& pattern, const std::string& text) {
  std::optional<double> figure;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern))
      figure = positive_number(match[match.size() > 1 ? 1 : 0].str());
  }
  return figure;
}

std::optional<std::string> next_line(std::istringstream& text) {
  std::string line;
  return std::getline(text, line) ? std::optional(line) : std::nullopt;
}

std::string shown(const std::optional<std::string>& line) {
  return line ? "'" + line->substr(0, kShownColumns) + "'" : "nothing: the output ends";
}

}  // namespace

std::optional<double> read_figure(const std::regex& pattern, const std::string& out,
                                  const std::string& err) {
  const auto figure = last_figure(pattern, out);
  return figure ? figure : last_figure(pattern, err);
}

std::optional<std::string> first_difference(const std::string& expected,
                                            const std::string& actual) {
  if (expected == actual) return std::nullopt;
  std::istringstream a(expected), b(actual);
  for (int number = 1;; ++number) {
    const auto line_a = next_line(a), line_b = next_line(b);
    if (!line_a && !line_b) return "  only one of them ends with a newline";
    if (line_a != line_b)
      return fmt::format("  line {}: expected {}\n  {:>{}} found {}", number, shown(line_a), "",
                         fmt::formatted_size("line {}:   ", number), shown(line_b));
  }
}

std::string last_lines(const std::string& text) {
  std::deque<std::string> kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    kept.push_back(line.substr(0, kShownColumns));
    if (kept.size() > kShownLines) kept.pop_front();
  }
  std::string result;
  for (const std::string& line : kept) result += "\n  | " + line;
  return result;
}

}  // namespace vicino::cli
