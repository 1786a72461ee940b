// compare_report.hpp: a measurement as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "measure.hpp"
#include "say.hpp"

namespace vicino::cli {

// A table, and a sentence in colour.
std::string report_text(const Measurement& measurement, const Style& style);

// docs/reference/compare.md describes the keys; `schema` changes when a reader of them would have to.
nlohmann::ordered_json as_json(const Measurement& measurement);

}  // namespace vicino::cli
