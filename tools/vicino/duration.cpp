#include "duration.hpp"

#include <charconv>
#include <string_view>

namespace vicino::cli {

std::optional<Seconds> parse_duration(const std::string& text) {
  constexpr double kMost = 1e7;  // four months; a longer time is a slip, and would overflow clocks
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(stop, static_cast<size_t>(end - stop));
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (!(value * scale > 0) || value * scale > kMost) return std::nullopt;
  return Seconds(value * scale);
}

CLI::Validator duration() {
  return must_be("a time such as 90, 1.5s, 2m or 1h",
                 [](const std::string& text) { return parse_duration(text).has_value(); });
}

}  // namespace vicino::cli
