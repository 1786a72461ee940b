// duration.hpp: times as people type them: 90, 1.5s, 2m, 1h.
#pragma once

#include <optional>
#include <string>

#include "command.hpp"
#include "process.hpp"

namespace vicino::cli {

std::optional<Seconds> parse_duration(const std::string& text);
CLI::Validator duration();

}  // namespace vicino::cli
