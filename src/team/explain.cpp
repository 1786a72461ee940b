#include "team/explain.hpp"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "config/schedule.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "metric/objective.hpp"
#include "team/counts.hpp"
#include "team/metering.hpp"
#include "team/tuned.hpp"
#include "tune/explanation.hpp"

namespace vicino::team {

namespace {

pid_t loaded_in;
[[gnu::constructor]] void note_process() { loaded_in = getpid(); }

// By what is stronger than the tuner, the strongest first.
std::string why_none_is_tuned() {
  const config::Settings& s = config::settings();
  if (!any_counts()) return std::string(program_invocation_short_name) + " itself uses no OpenMP";
  if (!s.explore) return "VICINO_EXPLORE=false";
  if (counted_threads() == 1) return "it ran on one thread";
  if (s.vicino_schedule)
    return "VICINO_SCHEDULE=" + config::format_selection(s.vicino_schedule) + " is stronger";
  if (s.run_schedule.kind != config::ScheduleKind::kAuto)
    return "OMP_SCHEDULE=" + config::ScheduleText::format(s.run_schedule) + " is stronger";
  std::string why = "each has a schedule, or none, which is static; vicino convert rewrites these";
  if (s.static_loops != config::StaticLoops::kTuned)
    why += ", VICINO_STATIC=tuned is for those of clang and flang";
  return why;
}

}  // namespace

bool is_asked() {
  const config::Settings& s = config::settings();
  return s.process == getpid() || (s.explain && any_counts() && loaded_in == getpid());
}

std::string why_nothing_was_tuned() {
  return "no loop has left its choice to the tuner: " + why_none_is_tuned();
}

void explain() {
  std::vector<tune::Explained> sites;
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
  fprintf(stderr, "vicino: loops that the tuner chose for%s%s\n%s", by_time ? "" : ", by ",
          by_time ? "" : metric::noun(objective()), tune::explanation(sites).c_str());
  if (TunedSite::were_too_many())
    fprintf(stderr, "more than %zu call sites: those after them ran without the tuner\n",
            TunedSite::kMost);
}

}  // namespace vicino::team
