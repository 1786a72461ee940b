#include "tune/exploring.hpp"

#include <algorithm>

#include "tune/resting.hpp"

namespace vicino::tune {

using Constants = TunerConstants;

template <class P>
Choice Exploring<P>::choose(const SiteContext& site) const {
  const auto choice = self().to_try(site);
  return choice && may_try(site, *choice) ? *choice : self().best(site);
}

template <class P>
bool Exploring<P>::may_try(const SiteContext& site, Choice choice) const {
  if (!is_first_round(site, choice)) return site.account.within_budget();
  return P::is_paid_for(site, choice) &&
         (!site.policy().charges_all || choice == self().best(site) ||
          site.account.within_budget());
}

template <class P>
bool Exploring<P>::is_first_round(const SiteContext& site, Choice choice) const {
  const Estimate* estimate = self().known(site, choice);
  return estimate == nullptr || estimate->count() < Constants::kLooks;
}

template <class P>
NextPhase Exploring<P>::record(SiteContext& site, const Sample& sample) const {
  if (!self().has(site, sample.choice)) return std::nullopt;
  // What was tried before has left the data elsewhere.
  if (site.policy().counts_outside && !site.after_default &&
      sample.choice == site.scope().by_default())
    return std::nullopt;
  if (site.known.proves_short(sample.choice, sample.ns)) {
    if (!site.scope().tries_one_thread_if_short() || site.scope().most == 1) {
      self().learn(site, sample);
      return LeftAlone();
    }
    site.known.is_short = true;
    P::became_short(site);
  }
  const bool first_round = is_first_round(site, sample.choice);
  if (sample.amount) site.known.learn_time(sample.choice, sample.time());
  self().learn(site, sample);
  charge(site, sample, first_round);
  return self().next(site);  // E1
}

template <class P>
double Exploring<P>::time_of(const SiteContext& site, Choice choice) const {
  const Estimate* time = site.known.time(choice);
  return (time != nullptr ? time : self().known(site, choice))->value();
}

template <class P>
void Exploring<P>::charge(SiteContext& site, const Sample& sample, bool first_round) const {
  const Choice best = self().best(site);
  const Estimate* const known = self().known(site, best);
  if (known == nullptr || known->count() == 0) return;  // it has not had its turn
  const double more = time_of(site, sample.choice) - time_of(site, best);
  if (more <= 0) return;
  const bool is_charged =
      !first_round || site.account.explored_again > 0 || site.policy().charges_all;
  site.account.lose(more * sample.trip, is_charged);
}

template <class P>
Settled Exploring<P>::settle(const SiteContext& site, Choice choice) const {
  Settled settled(site.scope(), choice, self().known(site, choice)->value(), 0);
  if (site.policy().looks_back) settled.look_again_at(site.known.second_best(choice));
  return settled;
}

template class Exploring<Comparing>;
template class Exploring<Widths>;
template class Exploring<Schedules>;

Choice Schedules::best(const SiteContext& site) const noexcept {
  return {site.known.race.best(), site.known.race_threads};
}

NextPhase Schedules::next(SiteContext& site) const {
  if (site.known.race.next()) return std::nullopt;
  if (!site.policy().schedules_first) return settle(site, best(site));
  site.known.begin_widths_with(best(site).candidate);
  return Widths();
}

bool Schedules::has(const SiteContext& site, Choice choice) const noexcept {
  return choice.threads == site.known.race_threads;
}

const Estimate* Schedules::known(const SiteContext& site, Choice choice) const noexcept {
  return &site.known.race.estimate(choice.candidate);
}

std::optional<Choice> Schedules::to_try(const SiteContext& site) const noexcept {
  const auto candidate = site.known.race.next();
  return candidate ? std::optional(Choice{*candidate, site.known.race_threads}) : std::nullopt;
}

bool Schedules::is_paid_for(const SiteContext& site, Choice choice) noexcept {
  if (!site.policy().charges_all || choice == site.scope().by_default()) return true;
  return site.account.within_budget(Policy::price(site.known.idle) * site.known.shortest);
}

void Schedules::learn(SiteContext& site, const Sample& sample) const {
  if (site.known.is_default(sample.choice)) site.known.by_default.add(sample.cost());
  site.known.race.record(sample.choice.candidate, sample.cost());
}

NextPhase WarmUp::record(SiteContext& site, const Sample& sample) const {
  if (then_) return std::visit([](const auto& phase) { return TunerPhase(phase); }, *then_);
  site.known.base = site.scope().base_after(choice_.candidate, sample.idle);
  const bool one_is_enough = site.policy().looks_if_short == 1;
  if (one_is_enough && site.known.proves_short(choice_, sample.ns)) {
    site.known.learn_width(choice_.threads, sample.cost(), sample.ns);
    site.account.live(sample.ns, sample.ns);
    return LeftAlone();
  }
  site.known.looks = 0;
  return Widths();
}

NextPhase WarmUp::next(SiteContext&) const { return std::nullopt; }

int WarmUp::like() const noexcept {
  const auto* const comparing = then_ ? std::get_if<Comparing>(&*then_) : nullptr;
  return comparing != nullptr ? comparing->like() : 0;
}

}  // namespace vicino::tune
