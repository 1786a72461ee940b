#include "base/decimal.hpp"

#include <errno.h>
#include <stdlib.h>

#include <string>

#include "base/kept_errno.hpp"

namespace vicino {
namespace {

// glibc has the "C" locale built in: newlocale() loads and allocates nothing.
locale_t plain_locale() { return newlocale(LC_ALL_MASK, "C", nullptr); }

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
  constexpr std::string_view kOfDecimals = "0123456789.-+eE";
  // strtod() also takes blanks in front, words, hexadecimal digits and a plus sign; these are
  // refused.
  if (text.empty() || text.find_first_not_of(kOfDecimals) != text.npos || text[0] == '+' ||
      text[0] == 'e' || text[0] == 'E')
    return std::nullopt;
  const std::string ended(text);
  char* end = nullptr;
  const KeptErrno kept;
  errno = 0;
  const double value = strtod_l(ended.c_str(), &end, plain_locale());
  const bool fits = errno == 0;
  return fits && end == ended.c_str() + ended.size() ? std::optional(value) : std::nullopt;
}

PlainNumbers::PlainNumbers() noexcept : before_(uselocale(plain_locale())) {}
PlainNumbers::~PlainNumbers() { uselocale(before_); }

}  // namespace vicino
