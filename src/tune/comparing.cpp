#include <algorithm>

#include "tune/exploring.hpp"
#include "tune/resting.hpp"

namespace vicino::tune {

bool Comparing::has(const SiteContext& site, Choice choice) const noexcept {
  return choice == other_.choice || choice == site.scope().by_default();
}

const Estimate* Comparing::known(const SiteContext& site, Choice choice) const noexcept {
  return choice.candidate == site.known.base ? site.known.width(choice.threads)
                                             : &site.known.race.estimate(choice.candidate);
}

// In turns, the default first, because what a profile goes on from begins with it.
std::optional<Choice> Comparing::to_try(const SiteContext& site) const {
  const auto count = [&](Choice choice) {
    const Estimate* const estimate = known(site, choice);
    return estimate == nullptr ? 0 : estimate->count();
  };
  const Choice by_default = site.scope().by_default();
  const uint32_t of_default = count(by_default), of_other = count(other_.choice);
  if (std::min(of_default, of_other) >= TunerConstants::kLooks) return std::nullopt;
  if (site.policy().counts_outside && of_default < TunerConstants::kLooks) return by_default;
  if (of_default >= 2 && of_other >= 2 && other_.choice != by_default) {
    const double a = known(site, by_default)->value(), b = known(site, other_.choice)->value();
    const bool may_be_clear = site.policy().must_be_clear && b < a;
    if (!may_be_clear && std::max(a, b) > Race::kHopeless * std::min(a, b)) return std::nullopt;
  }
  return of_default <= of_other ? by_default : other_.choice;
}

void Comparing::learn(SiteContext& site, const Sample& sample) const {
  const Choice choice = sample.choice;
  if (choice.candidate == site.known.base)
    site.known.learn_width(choice.threads, sample.cost(), sample.ns);
  else
    site.known.race.record(choice.candidate, sample.cost());
}

// If the other's choice is no better than the default, all is tried; the widest's samples are kept.
NextPhase Comparing::next(SiteContext& site) const {
  if (to_try(site)) return std::nullopt;
  const Choice by_default = site.scope().by_default();
  const Estimate &other = *known(site, other_.choice), &of_default = *known(site, by_default);
  if (other_.choice == by_default || Race::is_worth(site.policy(), other, of_default)) {
    site.known.learn_length(time_of(site, other_.choice) * site.account.mean_trip());
    Settled settled(site.scope(), other_.choice, other.value(), other_.bits);
    settled.look_again_at(other_.second);
    return settled;
  }
  site.known.race = Race(site.scope().candidates, site.policy());
  site.known.race_threads = site.scope().most;
  site.known.forget_fewer_threads();
  return Widths();
}

std::vector<Tried> Comparing::tried(const SiteContext& site) {
  std::vector<Tried> tried;
  if (const Estimate* const all = site.known.width(site.scope().most))
    tried.push_back({site.scope().by_default(), *all});
  return tried;
}

}  // namespace vicino::tune
