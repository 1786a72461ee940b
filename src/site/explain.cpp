#include "site/explain.hpp"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/say.hpp"
#include "base/version.hpp"
#include "config/schedule.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "lend/lending.hpp"
#include "metric/objective.hpp"
#include "site/advice.hpp"
#include "site/code.hpp"
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

std::string lines_of(const std::vector<std::string>& sentences) {
  std::string lines;
  for (const std::string& sentence : sentences) lines += "vicino: " + sentence + "\n";
  return lines;
}

// For readers that look for lines of source: place, file, build-id, and address as the file counts.
std::string line_of_place(const std::string& where, const void* address) {
  const CodeObject object = object_at(address);
  if (object.path.empty() || object.build_id.empty()) return {};
  char offset[24];
  snprintf(offset, sizeof offset, "0x%llx",
           static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address) - object.moved_by));
  return "place\t" + where + "\t" + name_of(object) + "\t" + object.build_id + "\t" + offset + "\n";
}

}  // namespace

bool is_asked() {
  const config::Settings& s = config::settings();
  return s.process == getpid() || (!s.explain.empty() && any_counts() && !is_forked_child());
}

bool is_forked_child() { return loaded_in != getpid(); }

std::string why_nothing_was_tuned() {
  const char* const none = molds() ? "no loop and no region" : "no loop";
  return std::string(none) + " has left its choice to the tuner: " + why_none_is_tuned();
}

namespace {

// `places`: gets a line for each site.
std::vector<tune::Explained> sites_explained(std::string& places) {
  std::vector<tune::Explained> sites = graphs_explained();
  for (TunedSite* site : TunedSite::all()) {
    if (!site->is_of_this_process()) continue;
    const std::string where = describe(site->call());
    places += line_of_place(where, site->call().address);
    site->look([&](const tune::SiteTuner& tuner) {
      sites.push_back({entry_of(*site, tuner), is_as_remembered(*site, tuner)});
      sites.back().entry.where = where;
    });
  }
  std::ranges::sort(sites, tune::is_told_before);
  return sites;
}

std::string text_of(const std::vector<tune::Explained>& sites) {
  if (sites.empty()) return is_asked() ? lines_of({why_nothing_was_tuned()}) : std::string();
  const bool by_time = objective() == metric::Objective::kTime;
  std::string text = "vicino: " + nouns_of(sites) + " that the tuner chose for" +
                     (by_time ? "" : std::string(", by ") + metric::noun(objective())) +
                     " (version " + version() + ")\n" + tune::explanation(sites);
  if (TunedSite::were_too_many())
    text += "more than " + std::to_string(TunedSite::kMost) +
            " call sites: those after them ran without the tuner\n";
  return text;
}

}  // namespace

void explain(const std::vector<std::string>& more) {
  std::string places;
  const std::vector<tune::Explained> sites = sites_explained(places);
  std::string text = text_of(sites) + lines_of(fractions_by_slack()) +
                     lines_of(narrowed_regions()) + lines_of(speeds_of_kinds()) +
                     lines_of(advice());
  if (const std::string told = lend::told_at_the_end(); is_asked() && !told.empty())
    text += lines_of({told});
  text += lines_of(more);
  const std::string& where = config::settings().explain;
  if (where == config::kToStderr) {
    write_all(STDERR_FILENO, text);
  } else if (!text.empty()) {
    const std::string file = with_process_number(where);
    if (const int error = write_text(file, text + places); error != 0)
      say("VICINO_EXPLAIN: cannot write %s: %s", file.c_str(), strerror(error));
  }
}

}  // namespace vicino::site
