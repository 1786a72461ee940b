// report_json.hpp: what `vicino report` found, as JSON (docs/reference/report.md has the keys).
#pragma once

#include <nlohmann/json.hpp>

#include "diagnosis.hpp"

namespace vicino::cli {

// As DLB's TALP writes it, for TALP-Pages: the run as its region "Global", and each parallel region by its place. There are
// no counters of cycles and instructions.
nlohmann::ordered_json talp_json(const Summary& summary);

nlohmann::ordered_json report_json(const Summary& summary, const std::vector<Diagnosis>& found);

}  // namespace vicino::cli
