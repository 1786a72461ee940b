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

size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_surrogate = first == 0xed && second >= 0xa0;
  const bool is_beyond = first == 0xf4 && second >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

std::string in_json(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const char c = text[0];
    char escape[8];
    if (length != 1)
      quoted.append(length == 0 ? "\xef\xbf\xbd" : text.substr(0, length));
    else if (c == '"' || c == '\\')
      quoted.append("\\").push_back(c);
    else if (static_cast<unsigned char>(c) >= 0x20)
      quoted.push_back(c);
    else
      quoted.append(escape, static_cast<size_t>(snprintf(escape, sizeof escape, "\\u%04x", c)));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return quoted + '"';
}

}  // namespace vicino
