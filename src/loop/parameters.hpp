// parameters.hpp: what a user may set of a schedule, and a schedule with all of it set.
//
// Why    The parser, --help, the docs and the tuner all ask a schedule what it takes; it declares
//        that in one array, and reads back plain numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace vicino::loop {

inline constexpr std::size_t kMaxParameters = 6;
inline constexpr std::size_t kMaxWords = 3;

// A number from `least` to `most`, or one of a few words. A word's value is below any number that a
// parameter takes: -1 the first, -2 the second.
struct Parameter {
  std::string_view name, help;
  double fallback, least, most;
  bool whole = false;  // no fractions
  std::array<std::string_view, kMaxWords> words{};

  static constexpr double word(std::size_t i) noexcept { return -1.0 - static_cast<double>(i); }
};

using Values = std::array<double, kMaxParameters>;

// What a schedule declares, for the registry.
constexpr Values fallbacks(std::span<const Parameter> parameters) noexcept {
  Values values{};
  std::ranges::transform(parameters, values.begin(), &Parameter::fallback);
  return values;
}

struct Row;

// A schedule and everything that can be set of it. Without a row: none was chosen.
struct Selection {
  const Row* row = nullptr;
  uint64_t chunk = 0;  // 0: none given
  Values values{};     // as the row declares them

  explicit operator bool() const noexcept { return row != nullptr; }
  bool operator==(const Selection&) const = default;
};

}  // namespace vicino::loop
