#include "command.hpp"

#include <fmt/format.h>

#include <charconv>

namespace vicino::cli {

CLI::Validator must_be(const std::string& accepted, std::function<bool(const std::string&)> test) {
  auto check = [accepted, test = std::move(test)](std::string& value) {
    return test(value) ? std::string() : fmt::format("'{}' is not {}", value, accepted);
  };
  return CLI::Validator(check, "");
}

CLI::Validator count_from(long least) { return count_from_to(least, 1'000'000); }

CLI::Validator count_from_to(long least, long most) {
  return must_be(fmt::format("a whole number from {} to {}", least, most),
                 [least, most](const std::string& text) {
                   long value = 0;
                   const char* end = text.data() + text.size();
                   const auto [stop, error] = std::from_chars(text.data(), end, value);
                   return error == std::errc() && stop == end && value >= least && value <= most;
                 });
}

CLI::Validator assignment() {
  return must_be("of the form NAME=VALUE", [](const std::string& text) {
    const size_t equals = text.find('=');
    return equals != 0 && equals != std::string::npos;
  });
}

}  // namespace vicino::cli
