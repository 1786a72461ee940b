// parameters.hpp: what a user may set of a schedule, and a schedule with all of it set.
//
// Why    The parser, --help, the docs and the tuner all need a schedule's parameters. It declares
//        them in one array, kParameters, and names their values in a struct, Set, of one double for
//        each, in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace vicino::loop {

inline constexpr std::size_t kMaxParameters = 6;
inline constexpr std::size_t kMaxWords = 4;

// A parameter is a number from `least` to `most`, or one of a few words. A word's value is below
// any number that a parameter takes: -1 for the first word, -2 for the second.
struct Parameter {
  std::string_view name, help;
  double fallback, least, most;
  bool whole = false;  // no fractions
  std::array<std::string_view, kMaxWords> words{};
  std::string_view also{};  // another name for it

  static constexpr double word(std::size_t i) noexcept { return -1.0 - static_cast<double>(i); }
};

// The values of a schedule's parameters, as the schedule declares them.
using Values = std::array<double, kMaxParameters>;

template <class Set>
inline constexpr std::size_t kSizeOfSet = std::is_empty_v<Set> ? 0 : sizeof(Set) / sizeof(double);

template <class Set>
constexpr Values values_of(const Set& set) noexcept {
  Values values{};
  std::ranges::copy(std::bit_cast<std::array<double, kSizeOfSet<Set>>>(set), values.begin());
  return values;
}

template <class Set>
constexpr Set set_of(const Values& values) noexcept {
  std::array<double, kSizeOfSet<Set>> own{};
  std::copy_n(values.begin(), own.size(), own.begin());
  return std::bit_cast<Set>(own);
}

// The fallback of each parameter that a schedule declares.
constexpr Values fallbacks(std::span<const Parameter> parameters) noexcept {
  Values values{};
  std::ranges::transform(parameters, values.begin(), &Parameter::fallback);
  return values;
}

// A name for values of all parameters of a schedule. A schedule that has presets declares them in
// one array, kPresets; users write the name behind the schedule's, as in `ich,paper`.
struct Preset {
  std::string_view name, help;
  Values values;
};

struct Row;

// A schedule and the values of all its parameters. Without a row, no schedule was chosen.
struct Selection {
  const Row* row = nullptr;
  uint64_t chunk = 0;  // 0: none given
  Values values{};     // as the row declares them

  explicit operator bool() const noexcept { return row != nullptr; }
  bool operator==(const Selection&) const = default;
};

}  // namespace vicino::loop
