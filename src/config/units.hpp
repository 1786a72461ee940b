// units.hpp: sizes and times, which each family of variables writes in its own units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vicino::config {

std::optional<std::size_t> parse_bytes(std::string_view text, std::size_t bare_unit) noexcept;
std::string format_bytes(std::size_t bytes);

// A number alone means kilobytes to OMP_STACKSIZE and GOMP_STACKSIZE, but bytes to KMP_STACKSIZE.
// libomp's manual says kilobytes there too, but libomp-19 itself takes bytes (tried); so does
// Vicino.
template <std::size_t kBareUnit>
struct Bytes {
  static constexpr std::string_view kAccepted =
      kBareUnit == 1 ? "a positive number of bytes, or with B, K, M, G or T behind it"
                     : "a positive number of kilobytes, or with B, K, M, G or T behind it";
  static std::optional<std::size_t> parse(std::string_view text) noexcept {
    return parse_bytes(text, kBareUnit);
  }
  // Always with its unit, so that every variable of the row reads it alike; 0 is "not set".
  static std::string format(std::size_t bytes) { return format_bytes(bytes); }
};

using OptionalTime = std::optional<std::uint64_t>;  // nanoseconds, UINT64_MAX for ever

// KMP_BLOCKTIME. libomp-19 takes us and ms, its manual has s, m, h and d: Vicino takes all of them.
struct BlockTime {
  static constexpr std::string_view kAccepted =
      "a number of milliseconds, or with ns, us, ms, s, m, h or d behind it, or infinite";
  static std::optional<OptionalTime> parse(std::string_view text) noexcept;
  static std::string format(OptionalTime time);
};

// GOMP_SPINCOUNT. A count is no time: libgomp counts 100 000 rounds as a millisecond, so a round
// counts as ten nanoseconds here. That is too long on one machine and too short on the next, by a
// factor of about four; a user who asks for a count asks for no more than that.
struct SpinCount {
  static constexpr std::string_view kAccepted =
      "a number of spins, or with k, M, G or T behind it, or infinite";
  static constexpr std::uint64_t kNanosecondsPerSpin = 10;
  static std::optional<OptionalTime> parse(std::string_view text) noexcept;
};

}  // namespace vicino::config
