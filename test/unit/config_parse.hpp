// config_parse.hpp: settings from variables that a test writes down.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "config/settings.hpp"

namespace vicino::config {

struct Parsed {
  Settings settings;
  std::vector<std::string> warnings;
};

inline Parsed parse_strings(const std::vector<std::string>& variables) {
  std::vector<const char*> entries;
  for (const std::string& variable : variables) entries.push_back(variable.c_str());
  Parsed parsed;
  parsed.settings = parse(Environment(entries), parsed.warnings);
  return parsed;
}

inline Parsed parse_these(std::initializer_list<std::string> variables) {
  return parse_strings(variables);
}

}  // namespace vicino::config
