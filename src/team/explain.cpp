#include "team/explain.hpp"

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "metric/objective.hpp"
#include "team/metering.hpp"
#include "team/tuned.hpp"

namespace vicino::team {
namespace {

using metric::Objective;
using tune::Choice;
using tune::Estimate;
using tune::Phase;
using tune::SiteTuner;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char buffer[256];
  va_list list;
  va_start(list, format);
  vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  return buffer;
}

std::string time(double ns) { return metric::in_words(Objective::kTime, ns); }

std::string threads(int n) { return text(n == 1 ? "%d thread" : "%d threads", n); }

// As if each execution had the mean trip count.
struct Told {
  Told(const TunedSite& which, const SiteTuner& its)
      : site(which),
        tuner(its),
        trip(its.mean_trip()),
        costs_in(which.key().is_loop() ? objective() : Objective::kTime) {}
  int most() const { return static_cast<int>(site.key().members); }
  const char* name_of(uint32_t candidate) const { return site.name_of(candidate).data(); }
  std::string on(Choice choice) const {
    if (site.key().kind == SiteKey::Kind::kRegion) return threads(choice.threads);
    const std::string on =
        text("%s on %s", name_of(choice.candidate), threads(choice.threads).c_str());
    const bool masked = site.fastest_node() >= 0 && choice.threads < most();
    return masked ? text("%s, first of node %d", on.c_str(), site.fastest_node()) : on;
  }
  std::string cost(double per_iteration) const {
    return metric::in_words(costs_in, per_iteration * trip);
  }
  double of_default() const { return tuner.of_default().value(); }

  const TunedSite& site;
  const SiteTuner& tuner;
  double trip;
  Objective costs_in;
};

std::string reason(const Told& site) {
  const SiteTuner& tuner = site.tuner;
  const char* const tried = site.site.key().is_loop() ? "schedules" : "steal policies";
  switch (tuner.phase()) {
    case Phase::kWarmUp:
    case Phase::kSchedules:
      if (tuner.of_default().count() == 0) return "nothing is known of it yet";
      return text("so far %s; it still tries %s", site.on(tuner.best()).c_str(), tried);
    case Phase::kWidths:
      if (tuner.of_default().count() == 0) return "nothing is known of it yet";
      return text("so far %s; it still tries numbers of threads", site.on(tuner.best()).c_str());
    case Phase::kLeftAlone:
      return text("left as it is: %s is too short to gain anything",
                  time(tuner.default_ns() * site.trip).c_str());
    case Phase::kSettled:
      break;
  }
  const std::string choice = site.on(tuner.best());
  const Choice by_default{0, site.most()};
  if (tuner.best() == by_default) return choice + ": nothing that was tried is clearly better";
  return text("%s: %s against %s for %s", choice.c_str(), site.cost(tuner.settled_cost()).c_str(),
              site.cost(site.of_default()).c_str(), site.on(by_default).c_str());
}

void print_row(const Told& site, Choice choice, const Estimate& estimate, const char* remark) {
  const auto [low, high] = estimate.interval();
  fprintf(stderr, "  %-14s %7d %7u %10s  %s to %s%s\n", site.name_of(choice.candidate),
          choice.threads, estimate.count(), site.cost(estimate.value()).c_str(),
          site.cost(low).c_str(), site.cost(high).c_str(), remark);
}

void print_tried(const Told& site) {
  const SiteTuner& tuner = site.tuner;
  const bool loop = site.site.key().is_loop();
  static constexpr const char* kCandidates[] = {"schedule", "schedule", "policy", ""};
  fprintf(stderr, "  %-14s %7s %7s %10s  %s\n",
          kCandidates[static_cast<size_t>(site.site.key().kind)], "threads", "samples",
          metric::noun(site.costs_in), "between");
  const auto print_widths = [&] {
    for (const auto& width : tuner.widths())
      if (!loop || width.threads != site.most())
        print_row(site, {tuner.width_candidate(), width.threads}, width.estimate, "");
  };
  if (!loop) print_widths();
  for (uint32_t i = 0; i < site.site.candidates(); ++i)
    if (tuner.race().estimate(i).count() > 0)
      print_row(site, {i, tuner.race_threads()}, tuner.race().estimate(i),
                tuner.race().is_out(i) ? "  beaten" : "");
  if (loop) print_widths();
}

// What the executions since it settled would have taken more, of the objective.
double gain_of(const SiteTuner& tuner) {
  if (tuner.phase() != Phase::kSettled) return 0;
  const double each = tuner.of_default().value() - tuner.settled_cost();
  return std::max(each, 0.0) * tuner.settled_iterations();
}

struct Sum {
  double total = 0, explored = 0, gained = 0;
  double gained_ns = 0;  // of what is tuned for time alone
};

void tell(const std::string& where, const TunedSite& its, const SiteTuner& tuner, Sum& sum) {
  const Told site(its, tuner);
  static constexpr const char* kKinds[] = {"", "static in the compiled code, ", "taskloop, ",
                                           "region, "};
  fprintf(stderr, "%s, %steam of %d, timed %llu times", where.c_str(),
          kKinds[static_cast<size_t>(its.key().kind)], site.most(),
          static_cast<unsigned long long>(tuner.executions()));
  if (its.key().kind != SiteKey::Kind::kRegion) fprintf(stderr, ", %.0f iterations", site.trip);
  fprintf(stderr, "\n");
  fprintf(stderr, "  %s\n", reason(site).c_str());
  if (tuner.explored_again() > 0)
    fprintf(stderr, "  its %s changed, so it was explored again: %llu times\n",
            metric::noun(site.costs_in), static_cast<unsigned long long>(tuner.explored_again()));
  if (tuner.of_default().count() > 0) print_tried(site);
  sum.total += tuner.total_ns();
  sum.explored += tuner.explored_ns();
  (site.costs_in == objective() ? sum.gained : sum.gained_ns) += gain_of(tuner);
}

struct Named {
  std::string where;
  TunedSite* site;
};

}  // namespace

void explain() {
  std::vector<Named> sites;
  for (TunedSite* site : TunedSite::all())
    if (site->is_of_this_process()) sites.push_back({describe(site->call()), site});
  if (sites.empty()) return;
  std::ranges::sort(sites, {}, [](const Named& n) {
    const SiteKey& key = n.site->key();
    return std::tuple(n.where, key.kind, key.members, key.trip_bits, key.several_nodes);
  });
  const bool by_time = objective() == Objective::kTime;
  fprintf(stderr, "vicino: loops that the tuner chose for%s%s\n", by_time ? "" : ", by ",
          by_time ? "" : metric::noun(objective()));
  Sum sum;
  for (const auto& [where, site] : sites)
    site->look(
        [&, &name = where, &its = *site](const SiteTuner& tuner) { tell(name, its, tuner, sum); });
  if (TunedSite::were_too_many())
    fprintf(stderr, "more than %zu call sites: those after them ran without the tuner\n",
            TunedSite::kMost);
  std::string saved = metric::in_words(objective(), sum.gained);
  if (sum.gained_ns > 0) saved += " and " + time(sum.gained_ns);
  fprintf(stderr, "all that was timed: %s, of which trying cost %s (%.1f %%); about %s saved\n",
          time(sum.total).c_str(), time(sum.explored).c_str(),
          sum.total > 0 ? 100 * sum.explored / sum.total : 0, saved.c_str());
}

}  // namespace vicino::team
