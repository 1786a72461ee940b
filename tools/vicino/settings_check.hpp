// settings_check.hpp: values for the runtime's settings, judged by the runtime's own parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vicino::cli {

// Accepts what the parser takes for `variable` without a warning, and rejects with its warning.
CLI::Validator setting(const std::string& variable);

}  // namespace vicino::cli
