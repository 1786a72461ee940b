#include "base/natural.hpp"

#include <algorithm>

namespace vicino {
namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Removes a number from the front of `text` and returns it without leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
  const auto end = std::ranges::find_if_not(text, is_digit) - text.begin();
  std::string_view number = text.substr(0, static_cast<std::size_t>(end));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) noexcept {
  std::string_view x = a, y = b;
  while (!x.empty() && !y.empty()) {
    if (is_digit(x.front()) && is_digit(y.front())) {
      const auto m = take_number(x), n = take_number(y);
      if (m != n) return m.size() != n.size() ? m.size() < n.size() : m < n;
    } else {
      if (x.front() != y.front()) return x.front() < y.front();
      x.remove_prefix(1);
      y.remove_prefix(1);
    }
  }
  if (x.empty() != y.empty()) return x.empty();
  return a < b;  // the texts differ in leading zeros at most
}

}  // namespace vicino
