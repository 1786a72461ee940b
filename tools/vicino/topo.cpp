// topo.cpp: `vicino topo`: the machine as the runtime sees it.
#include <cmath>

#include "command.hpp"
#include "config/settings.hpp"
#include "files.hpp"
#include "lend/lending.hpp"
#include "machine_facts.hpp"
#include "say.hpp"
#include "site/kinds.hpp"
#include "topo/describe.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"
#include "topo/priorities.hpp"
#include "topo/rank_share.hpp"
#include "topo_picture.hpp"

namespace vicino::cli {
namespace {

struct TopoOptions {
  std::string machine_file;
  std::string places;
  std::string svg;
  bool json = false;
  bool priorities = false;
};

constexpr const char* kDescription =
    R"(Shows the hardware threads that this process may use, the caches and memories
that they share, the places that threads are bound to (OMP_PLACES, or one per
core), the control group's CPU quota, and how many threads a team has by
default, with the reason.

With --machine it shows a machine that was recorded elsewhere by
lstopo FILE.xml; VICINO_MACHINE lets a program see such a machine too.

With --priorities it shows instead how good each core is to compute on, by its
distance to all others: the terms of its priority, and its rank in the order in
which threads would take cores. With --json they are added to the output.

With --svg it draws the machine, with the threads of a default team where they
may run: each on its place if OMP_PROC_BIND binds threads, else in its NUMA node
or cache group, if there are several.
)";

constexpr const char* kExamples =
    R"(  vicino topo
  OMP_PLACES=ll_caches vicino topo --json
  vicino topo --priorities
  vicino topo --svg machine.svg
)";

topo::PlaceList places_of(const topo::Machine& machine, const std::string& text) {
  if (text.empty()) return topo::default_places(machine);
  auto places = topo::parse_places(text, machine);
  if (!places) throw Failure(kUsage, fmt::format("places '{}': {}", text, places.error()));
  return *std::move(places);
}

// Prints places in the notation of OMP_PLACES, as many on a line as fit: a big machine has
// hundreds.
void print_places(const topo::PlaceList& places) {
  constexpr size_t kWidth = 80;
  fmt::print("\n{} place{}:\n", places.size(), places.size() == 1 ? "" : "s");
  std::string line;
  for (const CpuSet& place : places.places) {
    const std::string text = fmt::format("{{{}}}", place.to_list());
    if (line.size() + text.size() + 1 > kWidth) fmt::print("{}\n", std::exchange(line, ""));
    line += (line.empty() ? "" : " ") + text;
  }
  fmt::print("{}\n", line);
  for (const std::string& note : places.notes) warn(note);
}

nlohmann::ordered_json priorities_json(const topo::Machine& machine) {
  const topo::Priorities priorities(machine, machine.cpus());
  const auto one = static_cast<double>(priorities.denominator());
  nlohmann::ordered_json all;
  for (const topo::Weight& weight : priorities.weights())
    all["weights"].push_back(
        {{"distance", weight.distance}, {"weight", static_cast<double>(weight.numerator) / one}});
  for (const topo::CorePriority& core : priorities.cores())
    all["cores"].push_back({{"core", core.core},
                            {"base", core.base},
                            {"v1", static_cast<double>(core.v1) / one},
                            {"v2", static_cast<double>(core.v2) / (one * one)},
                            {"final", static_cast<double>(core.final) / (one * one)}});
  all["order"] = priorities.order();
  return all;
}

void print_json(const topo::Machine& machine, const topo::PlaceList& places,
                const TopoOptions& options, bool recorded) {
  nlohmann::ordered_json all = recorded ? machine_json(machine) : machine_json();
  all["schema"] = "vicino-topo-1";
  for (const CpuSet& place : places.places) all["places"].push_back(place.to_list());
  if (options.priorities) all["priorities"] = priorities_json(machine);
  fmt::print("{}", json_text(all, 2));
}

int show(const topo::Machine& machine, const TopoOptions& options, bool recorded) {
  const topo::PlaceList places = places_of(machine, options.places);
  if (!options.svg.empty()) {
    write_or_print(options.svg,
                   machine_as_svg(machine, cpus_of_team(machine, places, config::settings().proc_bind)));
    return kOk;
  }
  if (options.json) {
    print_json(machine, places, options, recorded);
    return kOk;
  }
  if (options.priorities) {
    fmt::print("{}", topo::describe_priorities(machine, {machine, machine.cpus()}));
    return kOk;
  }
  fmt::print("{}", topo::describe(machine));
  if (const std::string cut = site::how_static_loops_are_cut(machine); !cut.empty())
    fmt::print("{}\n", cut);
  if (const std::string share = topo::describe_share(); !recorded && !share.empty())
    fmt::print("{}\n", share);
  if (const std::string lent = lend::describe(); !recorded && !lent.empty())
    fmt::print("{}\n", lent);
  print_places(places);
  return kOk;
}

int topo(TopoOptions options) {
  if (!options.svg.empty() && (options.json || options.priorities))
    throw Failure(kUsage, fmt::format("topo: --svg and {} are given; it takes one",
                                      options.json ? "--json" : "--priorities"));
  const config::Settings& settings = config::settings();  // a setting may name the machine
  if (options.places.empty()) options.places = settings.places;
  if (options.machine_file.empty()) return show(topo::Machine::here(), options, false);
  const auto machine = topo::Machine::from_xml(options.machine_file);
  if (!machine) throw Failure(kUsage, "--machine: " + machine.error());
  return show(*machine, options, true);
}

}  // namespace

Command add_topo(CLI::App& root) {
  CLI::App* app = root.add_subcommand("topo", "Show the machine, its places, the default team");
  auto options = std::make_shared<TopoOptions>();
  app->add_option("--machine", options->machine_file,
                  "Show a recorded machine (hwloc XML), not this one")
      ->type_name("FILE");
  app->add_option("--places", options->places, "Use LIST in place of OMP_PLACES")
      ->type_name("LIST");
  app->add_flag("--priorities", options->priorities,
                "Each core's priority, and the order in which threads take cores");
  app->add_option("--svg", options->svg, "Draw it, with the threads of a team, as SVG")
      ->type_name("FILE");
  app->add_flag("--json", options->json, "Print JSON");
  return {.app = app,
          .synopsis = "[options]",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .action = [options](const Words&) { return topo(*options); }};
}

}  // namespace vicino::cli
