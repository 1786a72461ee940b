#include "tune/resting.hpp"

#include <algorithm>

#include "tune/exploring.hpp"

namespace vicino::tune {
namespace {

NextPhase explore_again(SiteContext& site, uint32_t base) {
  ++site.account.explored_again;
  site.known.begin_again(base);
  return Widths();
}

}  // namespace

Settled::Settled(const Scope& scope, Choice choice, double cost, int like) noexcept
    : choice_(choice), cost_(cost), like_(like) {
  if (choice != scope.by_default()) second_ = scope.by_default();
}

Choice Settled::choose(const SiteContext& site) const noexcept {
  constexpr uint32_t kRecheck = TunerConstants::kRecheck;
  const bool recheck = since_ % kRecheck == kRecheck - 1 && site.account.within_budget();
  return recheck && second_ ? *second_ : choice_;
}

bool Settled::is_off(double cost) const noexcept {
  return cost > TunerConstants::kUp * cost_ || cost < TunerConstants::kDown * cost_;
}

NextPhase Settled::record(SiteContext& site, const Sample& sample) {
  ++since_;
  site.account.settled_trips += sample.trip;
  if (sample.amount) site.known.learn_time(sample.choice, sample.time());
  if (sample.choice == second_) {
    charge_second(site, sample);
    // A race on several nodes leaves the least of three samples as the settled cost. Executions that
    // are all cheaper than that do not overlap with them, as Policy::must_be_clear wants.
    doubts_ = site.policy().is_worth(sample.cost(), cost_) ? doubts_ + 1 : 0;
    if (doubts_ == TunerConstants::kLooks)
      return explore_again(site, site.scope().base_after(choice_.candidate, 0));
  }
  if (sample.choice == choice_ && watch_.record(is_off(sample.cost()), site.account))
    return explore_again(site, site.scope().base_after(choice_.candidate, sample.idle));
  return std::nullopt;
}

// What the execution of the second took longer than the settled choice would have.
void Settled::charge_second(SiteContext& site, const Sample& sample) const {
  const Estimate* const time = site.known.time(choice_);
  if (sample.amount && time == nullptr) return;  // what a profile gives may come without times
  const double usual = sample.amount ? time->value() : cost_;
  site.account.lose(std::max(sample.ns - usual * sample.trip, 0.0), true);
}

NextPhase Settled::next(SiteContext&) const { return std::nullopt; }

std::optional<Found> Settled::found_for(const Scope& scope, int bits) const noexcept {
  if (like_ != 0 || in_doubt()) return std::nullopt;
  if (choice_.threads != scope.most && bits < 0) return std::nullopt;
  return Found{choice_, second_, bits};
}

NextPhase LeftAlone::record(SiteContext& site, const Sample& sample) {
  if (!watch_.record(sample.ns > 2 * site.scope().short_ns, site.account)) return std::nullopt;
  return explore_again(site, site.scope().base_after(best(site).candidate, sample.idle));
}

NextPhase LeftAlone::next(SiteContext&) const { return std::nullopt; }

}  // namespace vicino::tune
