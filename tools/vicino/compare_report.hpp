// compare_report.hpp: a measurement as a table and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>

#include "measure.hpp"

namespace vicino::cli {

void print_report(std::FILE* stream, const Measurement& measurement);

// docs/reference/compare.md describes the keys; `schema` changes when a reader of them would have to.
nlohmann::ordered_json as_json(const Measurement& measurement);

}  // namespace vicino::cli
