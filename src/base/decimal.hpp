// decimal.hpp: fractions in text, as files and settings write them, whatever the program's locale.
//
// Not    std::from_chars: its version for fractions asks libm for the rounding mode, which would
//        bring that library into each process (base/arithmetic.hpp).
#pragma once

#include <locale.h>

#include <optional>
#include <string_view>

namespace vicino {

// The whole of `text` as a number: digits, with an optional sign, point and exponent. There is no
// value for any other text, "inf" and "nan" included, nor for a number that is too large or too
// small for a double.
std::optional<double> parse_decimal(std::string_view text);

// While one lives, what its thread prints has a point in fractions, whatever the program's locale.
class PlainNumbers {
 public:
  PlainNumbers() noexcept;
  ~PlainNumbers();
  PlainNumbers(const PlainNumbers&) = delete;

 private:
  const locale_t before_;
};

}  // namespace vicino
