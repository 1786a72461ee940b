#include "site/explain.hpp"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/version.hpp"
#include "config/schedule.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "lend/lending.hpp"
#include "metric/objective.hpp"
#include "site/advice.hpp"
#include "site/counts.hpp"
#include "site/graph_profile.hpp"
#include "site/kinds.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "site/untuned_taskloops.hpp"
#include "tune/explanation.hpp"

namespace vicino::site {

namespace {

pid_t loaded_in;
[[gnu::constructor]] void note_process() { loaded_in = getpid(); }

// Whether the tuner chooses for regions, by the settings alone: a program may change the ICV.
bool molds() {
  const config::Settings& s = config::settings();
  return s.dynamic || s.mold == config::Mold::kRegions;
}

// The reason for regions; asked only where molds().
std::string why_no_region_is_tuned() {
  for (const RegionSum& region : region_sums())
    if (region.kind.by_clause && region.kind.asked > 1)
      return "regions have their number of threads by a num_threads clause";
  return "no region could have more than one thread";
}

// Names what takes precedence over the tuner, the strongest first. `others`: the program also has
// taskloops.
std::string why_no_worksharing_loop_is_tuned(bool others) {
  const config::Settings& s = config::settings();
  if (s.vicino_schedule)
    return "VICINO_SCHEDULE=" + config::format_selection(s.vicino_schedule) + " is stronger";
  if (s.run_schedule.kind != config::ScheduleKind::kAuto)
    return "OMP_SCHEDULE=" + config::ScheduleText::format(s.run_schedule) + " is stronger";
  std::string why = others ? "each worksharing loop" : molds() ? "each loop" : "each";
  why += " has a schedule, or none, which is static; vicino convert rewrites these";
  if (s.static_loops != config::StaticLoops::kTuned)
    why += ", VICINO_STATIC=tuned is for those of clang and flang";
  return why;
}

std::string why_no_loop_is_tuned() {
  const std::vector<std::string> taskloops = why_taskloops_are_not_tuned();
  std::string why = why_no_worksharing_loop_is_tuned(!taskloops.empty());
  for (const std::string& reason : taskloops) why += "; " + reason;
  return why;
}

// A reason that holds for both regions and loops comes first.
std::string why_none_is_tuned() {
  if (!any_counts()) return std::string(program_invocation_short_name) + " itself uses no OpenMP";
  if (!config::settings().explore) return "VICINO_EXPLORE=false";
  if (counted_threads() == 1) return "it ran on one thread";
  return why_no_loop_is_tuned() + (molds() ? "; " + why_no_region_is_tuned() : "");
}

std::string_view noun_of(const tune::Explained& site) {
  const std::string_view construct = tune::construct_of(site.entry.key);
  if (construct == tune::kGraph) return "task graphs";
  return construct == "region" || construct == "combined" ? "regions" : "loops";
}

// The words for the sites that are listed.
std::string nouns_of(const std::vector<tune::Explained>& sites) {
  std::vector<std::string_view> nouns;
  for (const std::string_view noun : {"loops", "regions", "task graphs"})
    if (std::ranges::find(sites, noun, noun_of) != sites.end()) nouns.push_back(noun);
  std::string text(nouns[0]);
  for (std::size_t i = 1; i < nouns.size(); ++i)
    text.append(i + 1 == nouns.size() ? " and " : ", ").append(nouns[i]);
  return text;
}

void print_lines(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) fprintf(stderr, "vicino: %s\n", sentence.c_str());
}

}  // namespace

bool is_asked() {
  const config::Settings& s = config::settings();
  return s.process == getpid() || (s.explain && any_counts() && !is_forked_child());
}

bool is_forked_child() { return loaded_in != getpid(); }

std::string why_nothing_was_tuned() {
  const char* const none = molds() ? "no loop and no region" : "no loop";
  return std::string(none) + " has left its choice to the tuner: " + why_none_is_tuned();
}

namespace {

void explain_sites() {
  std::vector<tune::Explained> sites = graphs_explained();
  for (TunedSite* site : TunedSite::all()) {
    if (!site->is_of_this_process()) continue;
    const std::string where = describe(site->call());
    site->look([&](const tune::SiteTuner& tuner) {
      sites.push_back({entry_of(*site, tuner), is_as_remembered(*site, tuner)});
      sites.back().entry.where = where;
    });
  }
  if (sites.empty()) {
    if (is_asked()) fprintf(stderr, "vicino: %s\n", why_nothing_was_tuned().c_str());
    return;
  }
  std::ranges::sort(sites, tune::is_told_before);
  const bool by_time = objective() == metric::Objective::kTime;
  fprintf(stderr, "vicino: %s that the tuner chose for%s%s (version %s)\n%s",
          nouns_of(sites).c_str(), by_time ? "" : ", by ",
          by_time ? "" : metric::noun(objective()), version(), tune::explanation(sites).c_str());
  if (TunedSite::were_too_many())
    fprintf(stderr, "more than %zu call sites: those after them ran without the tuner\n",
            TunedSite::kMost);
}

}  // namespace

void explain() {
  explain_sites();
  print_lines(fractions_by_slack());
  print_lines(narrowed_regions());
  print_lines(speeds_of_kinds());
  print_lines(advice());
  if (const std::string told = lend::told_at_the_end(); is_asked() && !told.empty())
    fprintf(stderr, "vicino: %s\n", told.c_str());
}

}  // namespace vicino::site
