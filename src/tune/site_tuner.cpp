#include "tune/site_tuner.hpp"

#include <type_traits>
#include <utility>

namespace vicino::tune {

// So no phase can be lost half way, and std::visit has nothing to throw for.
static_assert(std::is_trivially_copyable_v<TunerPhase>);

SiteTuner::SiteTuner(uint32_t candidates, int most, int grain, IfShort if_short, double short_ns,
                     const Policy& policy)
    : site_(Scope{candidates, most, grain, if_short, short_ns, &policy}),
      phase_(WarmUp(site_.scope().by_default())) {}

Phase SiteTuner::phase() const noexcept {
  return std::visit([](const auto& phase) { return phase.kPhase; }, phase_);
}

int SiteTuner::like() const noexcept {
  return std::visit([](const auto& phase) { return phase.like(); }, phase_);
}

bool SiteTuner::in_doubt() const noexcept {
  return std::visit([](const auto& phase) { return phase.in_doubt(); }, phase_);
}

Choice SiteTuner::best() const {
  return std::visit([this](const auto& phase) { return phase.best(site_); }, phase_);
}

Choice SiteTuner::choose() const {
  return std::visit([this](const auto& phase) { return phase.choose(site_); }, phase_);
}

bool SiteTuner::explores() const noexcept {
  return std::visit([](const auto& phase) { return phase.explores(); }, phase_);
}

bool SiteTuner::wants_turn() const noexcept {
  return std::visit(
      [this](const auto& phase) { return phase.explores() && !phase.is_held_up(site_); }, phase_);
}

void SiteTuner::record(Choice choice, double ns, uint64_t trip, std::optional<double> amount,
                       double idle, OnNodes on_nodes) {
  Sample sample{choice, ns, static_cast<double>(trip), amount, idle};
  const bool is_sure = !on_nodes.outside || charge_outside(sample, *on_nodes.outside);
  missed_ = 0;
  site_.account.ended(sample.trip);
  if (!is_in<WarmUp>()) site_.account.live(ns, ns * on_nodes.count);
  if (is_sure) enter(std::visit([&](auto& phase) { return phase.record(site_, sample); }, phase_));
  site_.ran(choice);
}

void SiteTuner::live(Choice choice, double ns, double count) noexcept {
  site_.account.live(0, ns * count);
  site_.ran(choice);
}

// Counts what the rest of the program has lost by the choice as if the site itself had. False: the
// choice has to be looked at again, and nothing is to be learnt from the execution.
bool SiteTuner::charge_outside(Sample& sample, double outside) {
  if (sample.choice == site_.scope().by_default()) {
    if (site_.after_default) site_.known.outside.learn_default(outside);
    return true;
  }
  const auto excess = site_.known.outside.excess(sample.choice, outside);
  if (!excess) return is_hopeless_by_itself(sample);
  site_.account.lose(site_.known.outside.take_held_back(sample.choice), site_.policy().charges_all);
  const double all = sample.ns + *excess;
  if (sample.amount) *sample.amount *= all / sample.ns;
  sample.ns = all;
  return true;
}

bool SiteTuner::is_hopeless_by_itself(const Sample& sample) const {
  const Estimate of_default = site_.known.of_default(false);
  return of_default.count() >= kLooks &&
         sample.cost() > site_.policy().hopeless_at_once * of_default.value();
}

void SiteTuner::enter(NextPhase next) {
  while (next) {
    phase_ = *next;
    next = std::visit([this](const auto& phase) { return phase.next(site_); }, phase_);
  }
}

void SiteTuner::miss() {
  if (auto* const settled = std::get_if<Settled>(&phase_)) return settled->miss();
  if (is_in<LeftAlone>() || ++missed_ < kMostMissed) return;
  missed_ = 0;
  leave_alone();
}

void SiteTuner::settle_on(Choice choice, double cost, double ns) {
  site_.known.learn_length(ns);
  phase_ = Settled(site_.scope(), choice, cost, 0);
}

void SiteTuner::leave_alone() { phase_ = LeftAlone(); }

std::vector<Tried> SiteTuner::tried() const {
  return is_in<Comparing>() ? Comparing::tried(site_) : site_.known.tried();
}

bool SiteTuner::go_on_from(std::span<const Tried> tried, const Estimate& of_default, double trip) {
  const auto races = site_.known.restore(tried, of_default, trip);
  if (!races) return false;
  enter(*races ? TunerPhase(Schedules()) : TunerPhase(Widths()));
  if (is_in<Widths>())
    phase_ = WarmUp(best(), Widths());
  else if (is_in<Schedules>())
    phase_ = WarmUp(best(), Schedules());
  return true;
}

bool SiteTuner::forget_fewer_threads() {
  if (is_in<LeftAlone>() || !site_.account.within_budget()) return false;
  ++site_.account.explored_again;
  site_.known.begin_again(site_.scope().base_after(best().candidate, 0));
  phase_ = Widths();
  return true;
}

std::optional<Found> SiteTuner::found_for(int bits) const {
  const auto* const settled = std::get_if<Settled>(&phase_);
  return settled == nullptr ? std::nullopt : settled->found_for(site_.scope(), bits);
}

void SiteTuner::begin_like(const Found& other) {
  site_.known.race_threads = other.choice.threads;
  phase_ = WarmUp(other.choice, Comparing(other));
}

void SiteTuner::settle_as_like(int bits) {
  if (auto* const settled = std::get_if<Settled>(&phase_)) settled->set_like(bits);
}

// For a short loop one schedule's time is like another's.
Estimate SiteTuner::of_default() const { return site_.known.of_default(is_in<LeftAlone>()); }

double SiteTuner::settled_cost() const noexcept {
  const auto* const settled = std::get_if<Settled>(&phase_);
  return settled == nullptr ? 0 : settled->cost();
}

}  // namespace vicino::tune
