// numbers.hpp: how the plain types of a setting are written.
//
// A codec is a struct of three members: kAccepted, which reads well after "not "; parse(), which
// gives nullopt for malformed text; format(), whose result parse() accepts, or "" for a value that
// cannot be written. table.cpp combines codecs and members; the special types are in the headers
// beside this one.
#pragma once

#include <climits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/text.hpp"

namespace vicino::config {

// The specification knows true and false. Users of libomp also write 1, yes and on, and Fortran
// programmers .true.; these can have no other meaning.
struct Flag {
  static constexpr std::string_view kAccepted = "true or false";
  static std::optional<bool> parse(std::string_view text) noexcept;
  static std::string format(bool value) { return value ? "TRUE" : "FALSE"; }
};

struct Enabled {
  static constexpr std::string_view kAccepted = "enabled or disabled";
  static std::optional<bool> parse(std::string_view text) noexcept;
  static std::string format(bool value) { return value ? "ENABLED" : "DISABLED"; }
};

// An int of at least kLeast; a number that is too large for an int is malformed.
template <int kLeast>
struct Integer {
  static_assert(kLeast == 0 || kLeast == 1);
  static constexpr std::string_view kAccepted =
      kLeast == 0 ? "a non-negative integer" : "a positive integer";
  static std::optional<int> parse(std::string_view text) noexcept {
    const auto value = parse_digits(text);
    if (!value || *value < kLeast || *value > INT_MAX) return std::nullopt;
    return static_cast<int>(*value);
  }
  static std::string format(int value) { return std::to_string(value); }
};
using Natural = Integer<0>;
using Positive = Integer<1>;

// An upper bound: a number too large for an int is no bound. libgomp itself prints 4294967295 for
// "none".
template <int kLeast>
struct Limit {
  static constexpr std::string_view kAccepted = Integer<kLeast>::kAccepted;
  static std::optional<int> parse(std::string_view text) noexcept {
    const auto value = parse_digits(text);
    if (!value || *value < kLeast) return std::nullopt;
    return *value > INT_MAX ? INT_MAX : static_cast<int>(*value);
  }
  static std::string format(int value) { return std::to_string(value); }
};

// OMP_NESTED, which OMP_MAX_ACTIVE_LEVELS replaced: nesting is on or off.
struct Nesting {
  static constexpr std::string_view kAccepted = Flag::kAccepted;
  static std::optional<int> parse(std::string_view text) noexcept {
    const auto nested = Flag::parse(text);
    if (!nested) return std::nullopt;
    return *nested ? INT_MAX : 1;
  }
};

struct PositiveList {
  static constexpr std::string_view kAccepted =
      "a comma-separated list of positive integers up to 2147483647";
  static std::optional<std::vector<int>> parse(std::string_view text);
  static std::string format(const std::vector<int>& values);
};

// The text as written. It is never malformed: the code that uses it says what is right. An empty
// value is as good as none. Each setting has its own kAccepted, which says what the text should be.
struct Text {
  static std::optional<std::string> parse(std::string_view text) { return std::string(text); }
  static std::string format(const std::string& value) { return value; }
};

}  // namespace vicino::config
