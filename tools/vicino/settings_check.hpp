// settings_check.hpp: values for the runtime's settings, judged by the runtime's own parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vicino::cli {

// Accepts what the parser takes for `variable` without a warning, and rejects with its warning.
CLI::Validator setting(const std::string& variable);

// Accepts a file of rules for loops in which nothing is wrong.
CLI::Validator rules_file();

}  // namespace vicino::cli
