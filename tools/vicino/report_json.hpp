// report_json.hpp: what `vicino report` found, as JSON (docs/report.md has the keys).
#pragma once

#include <nlohmann/json.hpp>

#include "diagnosis.hpp"

namespace vicino::cli {

nlohmann::ordered_json report_json(const Summary& summary, const std::vector<Diagnosis>& found);

}  // namespace vicino::cli
