// number.hpp: numbers at the front of what the kernel's files hold.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace vicino::metric {

// `base` for whole numbers. Only a newline may follow.
template <class Number>
std::optional<Number> number_in(std::string_view text, auto... base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  return rest.empty() || rest == "\n" ? std::optional(value) : std::nullopt;
}

}  // namespace vicino::metric
