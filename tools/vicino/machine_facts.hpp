// machine_facts.hpp: the machine in one line, as JSON, and as what a reader of figures from another machine has to
// know of it.
//
// Not    who the user is or what the machine is called: pages are made to be sent to others.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "environment.hpp"
#include "topo/machine.hpp"

namespace vicino::cli {

std::string line_of(const std::string& file);  // the first; empty if the file cannot be read
std::string chosen(const std::string& file);   // the chosen one of "always [madvise] never"

std::string machine_line();
nlohmann::ordered_json machine_json();  // of this machine, with kernel and load
nlohmann::ordered_json machine_json(const topo::Machine& from);  // of any machine, without both

using Facts = std::vector<std::pair<std::string, std::string>>;  // a name and a text for people

// Those that do not change while programs run.
Facts machine_facts(const Environment& environment);

// The same as JSON, with what machine_json() has.
nlohmann::ordered_json facts_json(const Facts& facts);

}  // namespace vicino::cli
