#include "machine_facts.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <cmath>

#include "topo/rank_share.hpp"

namespace vicino::cli {
namespace {

using json = nlohmann::ordered_json;
using topo::Level;

double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

std::string several(int count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string machine_line() {
  const topo::Machine& machine = topo::Machine::here();
  std::string line =
      fmt::format("{}, {}, {}", machine.name(), several(machine.count(Level::kThread), "CPU"),
                  several(machine.count(Level::kNode), "NUMA node"));
  if (std::isfinite(machine.quota_cpus()))
    line += fmt::format(", quota {:.2g} CPUs", machine.quota_cpus());
  return line + fmt::format(", load {:.1f}", load());
}

json machine_json(const topo::Machine& machine) {
  json result = {{"name", machine.name()},
                 {"default_team_size", machine.default_team_size()},
                 {"default_team_reason", machine.default_team_reason()}};
  for (int level = 0; level < topo::kLevels; ++level) {
    const auto each = static_cast<Level>(level);
    result["counts"][std::string(level_name(each))] = machine.count(each);
  }
  if (std::isfinite(machine.quota_cpus())) result["quota_cpus"] = machine.quota_cpus();
  return result;
}

json machine_json() {
  json result = machine_json(topo::Machine::here());
  utsname system;
  if (uname(&system) == 0) result["kernel"] = fmt::format("{} {}", system.sysname, system.release);
  result["load"] = load();
  if (const topo::Ranks* ranks = topo::ranks())
    result["ranks"] = {{"rank", ranks->rank},
                       {"of", ranks->size},
                       {"launcher", ranks->launcher},
                       {"cpus", topo::Machine::here().cpus().to_list()},
                       {"reason", topo::describe_share()}};
  return result;
}

}  // namespace vicino::cli
