// settings_check.hpp: values for the runtime's settings, judged by the runtime's own parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vicino::cli {

// Accepts a value that the parser takes for `variable` without a warning; rejects others with the
// parser's warning.
CLI::Validator setting(const std::string& variable);

// Accepts a file of rules for loops that has no error.
CLI::Validator rules_file();

}  // namespace vicino::cli
