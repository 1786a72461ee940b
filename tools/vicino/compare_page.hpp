// compare_page.hpp: a measurement as a page (docs/reference/compare.md).
#pragma once

#include <string>

#include "measure.hpp"

namespace vicino::cli {

std::string compare_page(const Measurement& measurement);

}  // namespace vicino::cli
