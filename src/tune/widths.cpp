#include <algorithm>

#include "tune/exploring.hpp"
#include "tune/resting.hpp"

namespace vicino::tune {
namespace {

using Constants = TunerConstants;

// A hopeless width is known enough, unless something else may have held it up. For all threads that
// has to be surer, since they are mostly best.
bool is_known_enough(const Width& width, const Scope& scope, double best) {
  const uint32_t count = width.estimate.count();
  const bool hopeless = width.estimate.value() > Race::kHopeless * best;
  const double sure = width.threads == scope.most ? Constants::kLong : scope.policy->sure_of_fewer;
  return count >= Constants::kLooks || (hopeless && (count > 1 || width.shortest > sure));
}

// Before the schedules there are some looks at the default.
bool needs_looks(const SiteContext& site) noexcept {
  return site.policy().schedules_first && site.known.base == 0 &&
         site.known.looks < Constants::kLooks;
}

bool is_to_race(const SiteContext& site) noexcept {
  return site.policy().schedules_first && !site.known.has_raced && site.scope().candidates > 1 &&
         !needs_looks(site) && site.known.idle > site.policy().least_idle;
}

// Where all is charged: an even loop's threads have to be paid for, too. The iterations of those that
// are left out need data of other nodes, and afterwards the data come back: half the threads of 16
// on four nodes lost 0.8 to 2.7 times the default's time.
bool is_paid_for_as_all(const SiteContext& site, int threads) noexcept {
  const int most = site.scope().most;
  if (threads >= most) return true;
  const double slower = 2 * (static_cast<double>(most) / threads - 1);
  return site.account.within_budget(slower * site.known.shortest);
}

// Each width once, in the order of the search; then those that are in doubt, in turns, which may
// change where the search leads.
std::optional<int> width_to_try(const SiteKnowledge& known) {
  const Scope& scope = known.scope;
  if (known.looks > 0 && known.looks < Constants::kLooks && known.shortest < scope.short_ns)
    return scope.most;
  const auto next = known.search().next();
  if (next && known.widths.empty()) return next;
  const double best = known.width(known.best_width())->value();
  const auto is_hopeless = [&](const Width& width) {
    return width.threads < *next && width.estimate.value() > Race::kHopeless * best;
  };
  // Where schedules come first the search ends where threads pay well.
  if (next && !(scope.policy->schedules_first && std::ranges::any_of(known.widths, is_hopeless)))
    return next;
  const Width* least = nullptr;
  for (const Width& width : known.widths)
    if (known.may_have(width.threads) && !is_known_enough(width, scope, best) &&
        (least == nullptr || width.estimate.count() < least->estimate.count()))
      least = &width;
  return least == nullptr ? std::nullopt : std::optional(least->threads);
}

// The best width, if it is worth leaving the widest for. Once width_to_try() has nothing, it has
// been looked at kLooks times: no width is hopeless beside itself.
int winning_width(const SiteKnowledge& known) {
  const int best = known.best_width(), most = known.scope.most;
  const auto beats = [&](const Estimate& all) {
    return Race::is_worth(*known.scope.policy, *known.width(best), all);
  };
  const bool wins =
      beats(*known.width(most)) && (known.by_default.count() == 0 || beats(known.by_default));
  return wins ? best : most;
}

}  // namespace

Choice Widths::best(const SiteContext& site) const {
  return {site.known.base, site.known.best_width()};
}

bool Widths::has(const SiteContext& site, Choice choice) const {
  const SiteKnowledge& known = site.known;
  if (known.is_default(choice)) return known.width(site.scope().most) != nullptr;
  return choice.candidate == known.base &&
         (known.width(choice.threads) != nullptr || known.search().next() == choice.threads);
}

const Estimate* Widths::known(const SiteContext& site, Choice choice) const noexcept {
  return choice.candidate == site.known.base ? site.known.width(choice.threads)
                                             : &site.known.by_default;
}

std::optional<Choice> Widths::to_try(const SiteContext& site) const {
  const SiteKnowledge& known = site.known;
  if (needs_looks(site)) return site.scope().by_default();
  if (const auto threads = width_to_try(known)) return Choice{known.base, *threads};
  // The default is not left unseen.
  const bool is_unseen = known.base != 0 && known.by_default.count() < Constants::kLooks;
  if (is_unseen && winning_width(known) != site.scope().most) return site.scope().by_default();
  return std::nullopt;
}

// Fewer threads for an uneven loop are paid for by what it has run with the widths tried so far, in
// earlier runs of the program too. The price is that of an execution that is as much slower as
// threads are fewer.
bool Widths::is_paid_for(const SiteContext& site, Choice choice) noexcept {
  if (site.policy().charges_all) return is_paid_for_as_all(site, choice.threads);
  if (site.known.base == 0 || choice.threads >= site.scope().most) return true;
  const double lost = static_cast<double>(site.scope().most) / choice.threads - 1;
  uint64_t count = 0;
  for (const Width& width : site.known.widths) count += width.estimate.count();
  return lost <= site.policy().budget * static_cast<double>(count);
}

void Widths::learn(SiteContext& site, const Sample& sample) const {
  const Choice choice = sample.choice;
  if (site.known.is_default(choice)) site.known.by_default.add(sample.cost());
  if (choice.candidate == site.known.base)
    site.known.learn_width(choice.threads, sample.cost(), sample.ns);
  if (site.known.looks == 1 && choice == site.scope().by_default()) site.known.idle = sample.idle;
}

NextPhase Widths::next(SiteContext& site) const {
  SiteKnowledge& known = site.known;
  if (is_to_race(site)) {
    known.has_raced = true;
    known.race.start_with(0, *known.width(site.scope().most));
    return Schedules();
  }
  if (to_try(site)) return std::nullopt;
  const int winner = winning_width(known);
  const bool on_all = winner == site.scope().most;
  if (known.is_short && on_all) return LeftAlone();
  if (known.is_short || site.scope().candidates == 1 || site.policy().schedules_first)
    return settle(site, {known.base, winner});
  known.race_threads = winner;
  if (on_all) known.race.start_with(0, known.by_default);
  known.race.start_with(known.base, *known.width(winner));
  for (uint32_t i = site.scope().candidates_on(winner); i < site.scope().candidates; ++i)
    known.race.drop(i);
  return Schedules();
}

}  // namespace vicino::tune
