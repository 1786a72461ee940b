// number.hpp: numbers at the beginning of the kernel's files.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace vicino::metric {

// A whole number, which only a newline may follow.
template <std::integral Number>
std::optional<Number> number_in(std::string_view text, auto... base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  return rest.empty() || rest == "\n" ? std::optional(value) : std::nullopt;
}

}  // namespace vicino::metric
