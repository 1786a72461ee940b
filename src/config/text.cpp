#include "config/text.hpp"

#include <algorithm>

#include "base/stable_sort.hpp"

namespace vicino::config {
namespace {

// Not <cctype>: its functions use the program's locale, and accept no negative char.
constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; }

}  // namespace

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, upper, upper);
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), upper);
  return result;
}

Halves split_first(std::string_view text, char separator) noexcept {
  const auto at = text.find(separator);
  if (at == text.npos) return {trim(text), std::nullopt};
  return {trim(text.substr(0, at)), text.substr(at + 1)};
}

std::optional<std::uint64_t> parse_digits(std::string_view text) noexcept {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (char c : text) {
    if (!is_digit(c)) return std::nullopt;
    const std::uint64_t digit = static_cast<std::uint64_t>(c - '0');
    if (__builtin_mul_overflow(value, 10u, &value) || __builtin_add_overflow(value, digit, &value))
      return std::ranges::all_of(text, is_digit) ? std::optional(UINT64_MAX) : std::nullopt;
  }
  return value;
}

std::optional<std::pair<std::uint64_t, std::string_view>> parse_digits_and_unit(
    std::string_view text) noexcept {
  text = trim(text);
  const auto unit = std::ranges::find_if_not(text, is_digit) - text.begin();
  const auto digits = parse_digits(text.substr(0, static_cast<std::size_t>(unit)));
  if (!digits) return std::nullopt;
  return std::pair(*digits, trim(text.substr(static_cast<std::size_t>(unit))));
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

namespace {

// How many letters must be inserted, deleted or changed to make one name of the other.
std::size_t difference(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change =
          diagonal + (upper_case(a.substr(i, 1)) != upper_case(b.substr(j, 1)));
      diagonal = row[j + 1];
      row[j + 1] = std::min(std::min(row[j], row[j + 1]) + 1, change);
    }
  }
  return row[b.size()];
}

}  // namespace

void sort_by_likeness(std::vector<std::string_view>& names, std::string_view name) {
  vicino::stable_sort(names, [=](std::string_view known) { return difference(name, known); });
}

bool may_mean(std::string_view name, std::string_view known) {
  constexpr std::size_t kShortest = 3;
  const std::size_t length = std::min(name.size(), known.size());
  if (length < kShortest) return false;
  return same_word(name.substr(0, length), known.substr(0, length)) ||
         difference(name, known) * 5 <= name.size() * 2;
}

}  // namespace vicino::config
