#include "config/units.hpp"

#include <array>
#include <span>

#include "config/text.hpp"

namespace vicino::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 5> kByteUnits{
    {{"B", 1}, {"K", 1ull << 10}, {"M", 1ull << 20}, {"G", 1ull << 30}, {"T", 1ull << 40}}};
constexpr std::array<Unit, 4> kDecimalUnits{
    {{"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}, {"T", 1'000'000'000'000}}};
constexpr std::array<Unit, 7> kTimeUnits{{{"ns", 1},
                                          {"us", 1'000},
                                          {"ms", 1'000'000},
                                          {"s", 1'000'000'000},
                                          {"m", 60'000'000'000},
                                          {"h", 3'600'000'000'000},
                                          {"d", 86'400'000'000'000}}};

// A number in the unit behind it, or in `bare` units if it has none; UINT64_MAX if too large.
std::optional<std::uint64_t> parse_scaled(std::string_view text, std::span<const Unit> units,
                                          std::uint64_t bare) noexcept {
  const auto number = parse_digits_and_unit(text);
  if (!number) return std::nullopt;
  if (number->second.empty()) return saturating_product(number->first, bare);
  for (const Unit& unit : units)
    if (same_word(number->second, unit.name)) return saturating_product(number->first, unit.factor);
  return std::nullopt;
}

bool is_infinite(std::string_view text) noexcept {
  return same_word(trim(text), "infinite") || same_word(trim(text), "infinity");
}

// The value in the largest unit that leaves no remainder.
std::string format_scaled(std::uint64_t value, std::span<const Unit> units) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (value % units[i].factor == 0) best = i;
  return std::to_string(value / units[best].factor).append(units[best].name);
}

}  // namespace

std::optional<std::size_t> parse_bytes(std::string_view text, std::size_t bare_unit) noexcept {
  const auto bytes = parse_scaled(text, kByteUnits, bare_unit);
  if (!bytes || *bytes == 0 || *bytes == UINT64_MAX) return std::nullopt;
  return *bytes;
}

std::string format_bytes(std::size_t bytes) {
  return bytes == 0 ? std::string() : format_scaled(bytes, kByteUnits);
}

std::optional<OptionalTime> BlockTime::parse(std::string_view text) noexcept {
  if (is_infinite(text)) return OptionalTime(UINT64_MAX);
  const auto time = parse_scaled(text, kTimeUnits, 1'000'000);
  if (!time) return std::nullopt;
  return OptionalTime(*time);
}

std::string BlockTime::format(OptionalTime time) {
  if (!time) return {};
  if (*time == UINT64_MAX) return "INFINITE";
  // Not in minutes or more: 60000ms is clearer than 1m, which other programs read as a millisecond.
  return *time == 0 ? "0ms" : format_scaled(*time, std::span(kTimeUnits).first(3));
}

std::optional<OptionalTime> SpinCount::parse(std::string_view text) noexcept {
  if (is_infinite(text)) return OptionalTime(UINT64_MAX);
  const auto spins = parse_scaled(text, kDecimalUnits, 1);
  if (!spins) return std::nullopt;
  return OptionalTime(saturating_product(*spins, kNanosecondsPerSpin));
}

}  // namespace vicino::config
