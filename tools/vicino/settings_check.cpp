#include "settings_check.hpp"

#include <vector>

#include "config/rules.hpp"
#include "config/settings.hpp"

namespace vicino::cli {

CLI::Validator setting(const std::string& variable) {
  auto check = [variable](std::string& value) -> std::string {
    const std::string entry = variable + '=' + value;
    const char* const entries[] = {entry.c_str()};
    std::vector<std::string> warnings;
    config::parse(config::Environment(entries), warnings);
    if (warnings.empty()) return "";
    // The rest of the warning names the value that the runtime uses instead.
    return warnings.front().substr(0, warnings.front().find("; using "));
  };
  return CLI::Validator(check, "");
}

CLI::Validator rules_file() {
  return CLI::Validator(
      [](std::string& name) -> std::string { return config::read_rules(name).error(); }, "");
}

}  // namespace vicino::cli
