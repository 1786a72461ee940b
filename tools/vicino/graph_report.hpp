// graph_report.hpp: the numbers that describe a task graph, as text and as JSON.
#pragma once

#include <string>

#include "graph_work.hpp"

namespace vicino::cli {

std::string graph_as_text(const GraphWork& work);
std::string graph_as_json(const GraphWork& work);

}  // namespace vicino::cli
