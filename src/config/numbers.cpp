#include "config/numbers.hpp"

#include <algorithm>
#include <array>

namespace vicino::config {

std::optional<bool> Flag::parse(std::string_view text) noexcept {
  static constexpr std::array<std::string_view, 7> kTrue{"true", "1",      "yes", "on",
                                                         "t",    ".true.", ".t."};
  static constexpr std::array<std::string_view, 7> kFalse{"false", "0",       "no", "off",
                                                          "f",     ".false.", ".f."};
  const auto is = [word = trim(text)](std::string_view known) { return same_word(word, known); };
  if (std::ranges::any_of(kTrue, is)) return true;
  if (std::ranges::any_of(kFalse, is)) return false;
  return std::nullopt;
}

std::optional<bool> Enabled::parse(std::string_view text) noexcept {
  if (same_word(trim(text), "enabled")) return true;
  if (same_word(trim(text), "disabled")) return false;
  return std::nullopt;
}

std::optional<std::vector<int>> PositiveList::parse(std::string_view text) {
  std::vector<int> values;
  const bool good = for_each_item(text, [&](std::string_view item) {
    const auto value = Positive::parse(item);
    if (value) values.push_back(*value);
    return value.has_value();
  });
  if (!good) return std::nullopt;
  return values;
}

std::string PositiveList::format(const std::vector<int>& values) {
  std::string text;
  for (int value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

}  // namespace vicino::config
