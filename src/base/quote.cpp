#include "base/quote.hpp"

#include <algorithm>

namespace vicino {

std::string printable(std::string_view text) {
  constexpr std::size_t kLongestShown = 60;
  const bool cut = text.size() > kLongestShown;
  std::string result(text.substr(0, kLongestShown));
  std::ranges::replace_if(result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return cut ? result + "..." : result;
}

}  // namespace vicino
