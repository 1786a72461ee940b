// share.hpp: VICINO_SHARE: which of several equal users of the machine this process is, said by hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/text.hpp"

namespace vicino::config {

struct Share {
  int number = 0;  // from 0 on
  int of = 1;
  static constexpr int kMost = 1 << 20;  // more than that is a mistake
  bool operator==(const Share&) const = default;
};

struct ShareText {
  static constexpr std::string_view kAccepted =
      "one share of several, counted from 0, as in 0/4 or 3/4";
  static std::optional<Share> parse(std::string_view text) noexcept {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const auto number = parse_digits(text.substr(0, slash)),
               of = parse_digits(text.substr(slash + 1));
    if (!number || !of || *number >= *of || *of > Share::kMost) return std::nullopt;
    return Share{static_cast<int>(*number), static_cast<int>(*of)};
  }
  static std::string format(Share value) {
    return std::to_string(value.number) + "/" + std::to_string(value.of);
  }
};

}  // namespace vicino::config
