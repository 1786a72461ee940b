// text.hpp: how the settings read text: no locale, no allocation, no exceptions.
//
// Not    <charconv> or strtol on their own: the first also reads a minus sign, and the second skips
//        white space and a plus sign, so that " +4" and "4 " would differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.hpp"

namespace vicino::config {

std::string_view trim(std::string_view text) noexcept;
bool same_word(std::string_view a, std::string_view b) noexcept;  // letter case does not matter
std::string upper_case(std::string_view text);

// The part before the first `separator`, trimmed, and the rest; nullopt if there is no separator.
struct Halves {
  std::string_view head;
  std::optional<std::string_view> rest;
};
Halves split_first(std::string_view text, char separator) noexcept;

// A decimal number: digits only, trimmed. A number that is too large for 64 bits gives UINT64_MAX,
// so that a limit of "very many" means no limit; a caller with a bound refuses it all the same.
std::optional<std::uint64_t> parse_digits(std::string_view text) noexcept;

// Digits followed by letters, as in 16M; the letters may be missing.
std::optional<std::pair<std::uint64_t, std::string_view>> parse_digits_and_unit(
    std::string_view text) noexcept;

// a * b, or UINT64_MAX if that does not fit.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

using vicino::printable;
using vicino::quoted;

// Sorts known names for a message about an unknown name: those that look most like it first.
void sort_by_likeness(std::vector<std::string_view>& names, std::string_view name);

// Whether `name` is likely to mean `known`: one is the beginning of the other, or at most two
// fifths of the letters differ.
bool may_mean(std::string_view name, std::string_view known);

// Calls `item` with each part of a list, trimmed, until one returns false.
template <class Item>
bool for_each_item(std::string_view list, Item item, char separator = ',') {
  for (std::optional<std::string_view> rest = list; rest;) {
    const Halves halves = split_first(*rest, separator);
    if (!item(halves.head)) return false;
    rest = halves.rest;
  }
  return true;
}

}  // namespace vicino::config
