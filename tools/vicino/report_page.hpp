// report_page.hpp: what `vicino report` found, as a page (docs/reference/report.md).
#pragma once

#include <string>
#include <vector>

#include "diagnosis.hpp"

namespace vicino::cli {

std::string report_page(const Summary& summary, const std::vector<Diagnosis>& found);

}  // namespace vicino::cli
