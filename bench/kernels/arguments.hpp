// arguments.hpp: reading a program's arguments, and the message about one that is not accepted.
#pragma once
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

namespace bench {

[[noreturn]] inline void reject(const std::string& why, std::string_view what,
                                const std::string& accepted) {
  std::fprintf(stderr, "%s '%.*s'; accepted: %s\n", why.c_str(), static_cast<int>(what.size()),
               what.data(), accepted.c_str());
  std::exit(2);
}

// Whether all of `text` is a number. Not from_chars() for floating point: it is in C++'s library,
// without which the kit's programs are linked.
template <class Number>
bool read_number(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>) {
    char* rest = nullptr;
    value = std::strtod(text.data(), &rest);
    return !text.empty() && rest == end;
  } else {
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end;
  }
}

// A floating-point `text` ends with a null.
template <class Number>
Number number(std::string_view name, std::string_view text, Number least, Number most,
              const char* accepted) {
  Number value{};
  if (!read_number(text, value) || !(value >= least && value <= most))
    reject("not a value for " + std::string(name) + ":", text, accepted);
  return value;
}

// Reads a program's arguments. set_flag(name) takes an argument that stands alone, and
// set_value(name, value) one with its value behind it; each returns whether it knows the name.
template <class SetFlag, class SetValue>
void read_arguments(int argc, char** argv, const std::string& accepted, SetFlag set_flag,
                    SetValue set_value) {
  for (int i = 1; i < argc; ++i) {
    if (set_flag(std::string_view(argv[i]))) continue;
    if (i + 1 == argc || !set_value(std::string_view(argv[i]), argv[i + 1]))
      reject("unknown argument, or one without its value:", argv[i], accepted);
    ++i;
  }
}

inline bool no_flag(std::string_view) { return false; }

}  // namespace bench
