#include "team/explain.hpp"

#include <stdio.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "metric/objective.hpp"
#include "team/metering.hpp"
#include "team/tuned.hpp"
#include "tune/explanation.hpp"

namespace vicino::team {

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
  if (sites.empty()) return;
  std::ranges::sort(sites, {}, [](const tune::Explained& s) {
    const tune::ProfileKey& key = s.entry.key;
    return std::tuple(s.entry.where, key.kind, key.team, key.trip_bits);
  });
  const bool by_time = objective() == metric::Objective::kTime;
  fprintf(stderr, "vicino: loops that the tuner chose for%s%s\n%s", by_time ? "" : ", by ",
          by_time ? "" : metric::noun(objective()), tune::explanation(sites).c_str());
  if (TunedSite::were_too_many())
    fprintf(stderr, "more than %zu call sites: those after them ran without the tuner\n",
            TunedSite::kMost);
}

}  // namespace vicino::team
