// machine_facts.hpp: the machine in one line, and as JSON, for reports.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "topo/machine.hpp"

namespace vicino::cli {

std::string machine_line();
nlohmann::ordered_json machine_json();  // of this machine, with kernel and load
nlohmann::ordered_json machine_json(const topo::Machine& from);  // of any machine, without both

}  // namespace vicino::cli
