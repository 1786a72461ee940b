#include "region/report.hpp"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/process_age.hpp"
#include "base/say.hpp"
#include "config/affinity.hpp"
#include "config/table.hpp"
#include "site/advice.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/explain.hpp"
#include "site/kinds.hpp"
#include "site/page_profile.hpp"
#include "team/places.hpp"
#include "topo/machine.hpp"
#include "topo/process_mask.hpp"

namespace vicino::region {

using team::places;
namespace {

// The settings that an environment variable has set, except those that ask for reports.
std::vector<std::string> settings_in_effect() {
  constexpr std::string_view kAsks[] = {"VICINO_REPORT", "VICINO_PROCESS", "VICINO_STATS",
                                        "VICINO_EXPLAIN", "VICINO_TRACE"};
  const config::Settings& settings = config::settings();
  std::vector<std::string> set;
  for (std::size_t i = 0; i < config::rows().size(); ++i) {
    const config::Row& row = config::rows()[i];
    if (settings.origins[i].winner < 0 || std::ranges::count(kAsks, row.name) != 0) continue;
    set.push_back(std::string(row.name) + "=" + row.show(settings));
  }
  return set;
}

std::string list_of_places() {
  constexpr int kMostShown = 16;
  std::string list;
  for (int i = 0; i < std::min(places().size(), kMostShown); ++i)
    list += (i == 0 ? "{" : ",{") + places()[i].to_list() + "}";
  return places().size() > kMostShown ? list + ",..." : list;
}

std::string binding_in_effect() {
  const std::vector<topo::Bind>& binds = config::settings().proc_bind;
  const topo::Machine& machine = topo::Machine::here();
  const topo::Level level = machine.near_level();
  const bool near = binds.empty() && machine.count(level) > 1;
  if (!near && (binds.empty() || binds[0] == topo::Bind::kFalse)) return "threads are not bound";
  if (machine.recorded()) return "none, as the machine is a recorded one";
  if (near)
    return std::string("none is asked for; threads stay ") +
           (level == topo::Level::kNode ? "on their nodes" : "in their cache groups") + ", of " +
           std::to_string(machine.count(level));
  return config::BindList::format(binds) + ", to places " + list_of_places();
}

// Where a region is called from; the name of its code where the call is another region's, too, or is the last thing that
// the program's function does: then it returns to Vicino.
std::vector<std::string> places_of(const std::vector<event::ConstructUse>& constructs) {
  std::vector<std::string> places;
  for (const event::ConstructUse& one : constructs)
    places.push_back(site::describe({one.place, nullptr}));
  const auto has_namesake = [&](std::size_t i) {
    for (std::size_t other = 0; other < constructs.size(); ++other)
      if (other != i && constructs[other].is_region() && places[other] == places[i]) return true;
    return false;
  };
  const uintptr_t own = site::object_at(reinterpret_cast<const void*>(&places_of)).moved_by;
  std::vector<std::string> names = places;
  for (std::size_t i = 0; i < constructs.size(); ++i) {
    const event::ConstructUse& one = constructs[i];
    const bool is_own = site::object_at(one.place).moved_by == own;
    if (one.code != nullptr && (is_own || has_namesake(i)))
      names[i] = site::describe({one.code, nullptr});
  }
  return names;
}

bool has_something_to_tell() {
  if (config::settings().process == getpid()) return true;
  return site::any_counts() && (!site::is_forked_child() || site::counted_regions() > 0);
}

void write_to(const std::string& name) {
  if (const int error = write_text(name, as_json(report_now())); error != 0)
    say("VICINO_REPORT: cannot write %s: %s", name.c_str(), strerror(error));
}

}  // namespace

void report_if_asked() {
  const std::string& where = config::settings().report;
  if (where.empty() || !has_something_to_tell()) return;
  if (where == config::kToStderr)
    write_all(STDERR_FILENO, as_text(report_now()));
  else
    write_to(with_process_number(where));
}

Report report_now() {
  Report report;
  report.process = getpid();
  report.program = program_invocation_name;
  report.seconds = process_age();
  report.vicino = path_of_vicino();
  report.foreign = foreign_runtimes();
  report.settings = settings_in_effect();
  if (!site::any_counts()) return report;
  report.all_regions = site::counted_regions();
  report.regions = site::region_sums();
  report.use = event::use_of_threads();
  report.places = places_of(report.use.constructs);
  report.cpus = topo::Machine::here().default_team_size();
  report.binding = binding_in_effect();
  report.bound_by_another = topo::bound_by_another_runtime();
  report.remarks = site::narrowed_regions();
  for (std::string& sentence : site::speeds_of_kinds())
    report.remarks.push_back(std::move(sentence));
  for (std::string& sentence : site::placed_pages()) report.remarks.push_back(std::move(sentence));
  if (!report.use.is_counted)
    report.remarks.push_back(
        "efficiencies are not known, as a tool watched; 'vicino report' has them from a trace");
  for (std::string& sentence : site::advice()) report.remarks.push_back(std::move(sentence));
  return report;
}

}  // namespace vicino::region
