#include "base/quote.hpp"

#include <stdio.h>

#include <algorithm>

namespace vicino {

std::string plain(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongestShown = 60;
  const std::string shown = plain(text.substr(0, kLongestShown));
  return text.size() > kLongestShown ? shown + "..." : shown;
}

std::string in_json(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escape[8];
    if (c == '"' || c == '\\')
      quoted.append("\\").push_back(c);
    else if (static_cast<unsigned char>(c) >= 0x20)
      quoted.push_back(c);
    else
      quoted.append(escape, static_cast<size_t>(snprintf(escape, sizeof escape, "\\u%04x", c)));
  }
  return quoted + '"';
}

}  // namespace vicino
