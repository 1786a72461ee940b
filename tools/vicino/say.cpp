#include "say.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/file.hpp"

namespace vicino::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

void line(std::string_view colour, std::string_view what, std::string_view text) {
  const Style style = style_of(stderr);
  const bool coloured = !style.plain.empty();
  tell(fmt::format("vicino: {}{}{}{}\n", coloured ? colour : "", what, style.plain, text));
}

}  // namespace

Style style_of(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  if (is_set("NO_COLOR") || dumb || isatty(fileno(stream)) == 0) return {};
  return {"\033[1m", "\033[1;32m", "\033[1;31m", "\033[2m", "\033[0m"};
}

std::string several(int count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// fmt::print() would throw, and a pipe without a reader would end the process.
void tell(std::string_view text) { write_all(STDERR_FILENO, text); }

void warn(std::string_view text) { line("\033[33m", "warning: ", text); }
void complain(std::string_view text) { line("\033[1;31m", "", text); }

}  // namespace vicino::cli
