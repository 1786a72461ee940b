#include "html.hpp"

#include <fmt/format.h>

#include "base/quote.hpp"
#include "base/version.hpp"

namespace vicino::cli {
namespace {

// The length of the UTF-8 sequence at the beginning of `text`, or 0: it has none, or one that HTML forbids.
size_t sequence(std::string_view text) {
  const size_t length = utf8_length(text);
  const auto byte = static_cast<unsigned char>(text[length == 2 ? 1 : 0]);
  const bool is_control = length == 1
                              ? (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f
                              : text.starts_with('\xc2') && byte < 0xa0;
  return is_control ? 0 : length;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// What the styles refer to.
std::string pattern_definitions() {
  // The base is the colour, the mark is what tells it from others without colours.
  const auto pattern = [](size_t doing, int size, std::string_view mark) {
    return fmt::format(
        "<pattern id=\"p{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\">"
        "<rect class=\"b{0}\" width=\"{1}\" height=\"{1}\"/>{2}</pattern>",
        doing, size, mark);
  };
  return "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>" +
         pattern(1, 6, "<path class=\"m1\" d=\"M0 6L6 0M-1 1L1-1M5 7L7 5\"/>") +
         pattern(4, 5, "<circle class=\"m4\" cx=\"2.5\" cy=\"2.5\" r=\"1\"/>") +
         pattern(5, 4, "<path class=\"m5\" d=\"M0 2H4\"/>") +
         pattern(6, 6, "<path class=\"m6\" d=\"M0 0L6 6M0 6L6 0\"/>") +
         pattern(7, 4, "<path class=\"m7\" d=\"M0 4L4 0M-1 1L1-1M3 5L5 3\"/>") + "</defs></svg>\n";
}

}  // namespace

std::string in_html(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const size_t length = sequence(text);
    if (length == 0)
      escaped += "\xef\xbf\xbd";  // U+FFFD
    else if (const std::string_view name = entity(text[0]); !name.empty())
      escaped += name;
    else
      escaped += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return escaped;
}

std::string with_commas(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string scrolling(std::string_view name, std::string_view content) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>\n",
      in_html(name), content);
}

std::string command_block(std::string_view command) {
  return fmt::format(
      "<div class=\"command\"><code>{}</code>"
      "<button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n",
      in_html(command));
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n"
      "<body>\n{}{}<footer>Made by Vicino {}. This file needs no other.</footer>\n"
      "<script>\n{}</script>\n</body>\n</html>\n",
      in_html(title), kPageStyle, pattern_definitions(), body, in_html(version()), kPageScript);
}

}  // namespace vicino::cli
