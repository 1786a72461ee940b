#include "tune/site_tuner.hpp"

#include <algorithm>

namespace vicino::tune {

SiteTuner::SiteTuner(uint32_t candidates, int most, int grain)
    : race_(candidates),
      search_(most, grain),
      candidates_(candidates),
      most_(most),
      grain_(grain),
      settled_{0, most} {}

const Estimate* SiteTuner::known(Choice choice) const {
  if (phase_ != Phase::kWidths) return &race_.estimate(choice.candidate);
  const auto found = std::ranges::find(widths_, choice.threads, &Width::threads);
  return found == widths_.end() ? nullptr : &found->estimate;
}

bool SiteTuner::is_first_round(Choice choice) const {
  const Estimate* estimate = known(choice);
  return estimate == nullptr || estimate->count() < kLooks;
}

std::optional<Choice> SiteTuner::to_try() const {
  if (phase_ == Phase::kSchedules) {
    const auto candidate = race_.next();
    return candidate ? std::optional(Choice{*candidate, most_}) : std::nullopt;
  }
  if (phase_ == Phase::kWidths) {
    const auto threads = search_.next();
    return threads ? std::optional(Choice{race_.best(), *threads}) : std::nullopt;
  }
  return std::nullopt;
}

Choice SiteTuner::best() const {
  switch (phase_) {
    case Phase::kSchedules:
      return {race_.best(), most_};
    case Phase::kWidths:
      return {race_.best(), search_.best()};
    case Phase::kWarmUp:
    case Phase::kSettled:
    case Phase::kLeftAlone:
      break;
  }
  return settled_;
}

Choice SiteTuner::choose() const {
  const auto choice = to_try();
  return choice && (is_first_round(*choice) || within_budget()) ? *choice : best();
}

void SiteTuner::record(Choice choice, double ns, uint64_t trip) {
  const double cost = ns / static_cast<double>(trip);
  ++executions_;
  trips_ += static_cast<double>(trip);
  if (phase_ == Phase::kWarmUp) {
    phase_ = Phase::kSchedules;
    return;
  }
  total_ns_ += ns;
  if (phase_ == Phase::kLeftAlone) return watch(ns > 2 * kShort);
  if (phase_ == Phase::kSettled) {
    settled_trips_ += static_cast<double>(trip);
    if (choice == settled_) watch(cost > kUp * settled_cost_ || cost < kDown * settled_cost_);
    return;
  }
  // Begun before the present phase did.
  if (phase_ == Phase::kSchedules ? choice.threads != most_ : choice.candidate != race_.best())
    return;
  if (choice == Choice{0, most_} && looks_ < kLooks) {
    shortest_ = looks_ == 0 ? ns : std::min(shortest_, ns);
    if (++looks_ == kLooks && shortest_ < kShort) {
      leave_alone();
      return;
    }
  }
  const bool first_round = is_first_round(choice);
  learn(choice, cost);
  charge(choice, first_round, trip);
  go_on();
}

void SiteTuner::learn(Choice choice, double cost) {
  if (phase_ == Phase::kSchedules) return race_.record(choice.candidate, cost);
  auto at = std::ranges::find(widths_, choice.threads, &Width::threads);
  if (at == widths_.end()) at = widths_.insert(at, {choice.threads, {}});
  at->estimate.add(cost);
  const Estimate& estimate = at->estimate;
  const bool hopeless = estimate.value() > Race::kHopeless * known(best())->value();
  const bool enough = estimate.count() >= kLooks || (estimate.count() == 2 && hopeless);
  if (enough && search_.next() == choice.threads) search_.record(choice.threads, estimate.value());
}

void SiteTuner::charge(Choice choice, bool first_round, uint64_t trip) {
  const double more = known(choice)->value() - known(best())->value();
  if (more <= 0) return;
  explored_ns_ += more * static_cast<double>(trip);
  if (!first_round || explored_again_ > 0) charged_ns_ += more * static_cast<double>(trip);
}

// To the next phase, when there is nothing left to try in this one.
void SiteTuner::go_on() {
  if (phase_ == Phase::kSchedules && !race_.next()) {
    phase_ = Phase::kWidths;
    const Estimate& winner = race_.estimate(race_.best());
    widths_.push_back({most_, winner});
    search_.record(most_, winner.value());
  }
  if (phase_ != Phase::kWidths || search_.next()) return;
  const Choice all{race_.best(), most_};
  const bool worth = known(best())->value() < (1 - Race::kWorth) * known(all)->value();
  const Choice choice = worth ? best() : all;
  settle_on(choice, known(choice)->value());
}

void SiteTuner::settle_on(Choice choice, double cost) {
  settled_ = choice;
  settled_cost_ = cost;
  phase_ = Phase::kSettled;
  off_ = 0;
}

void SiteTuner::leave_alone() {
  settled_ = {0, most_};
  phase_ = Phase::kLeftAlone;
  off_ = 0;
}

// `off`: the last execution was not what the site's state rests on.
void SiteTuner::watch(bool off) {
  off_ = off ? off_ + 1 : 0;
  if (off_ < kOff || !within_budget()) return;
  off_ = 0;
  ++explored_again_;
  race_ = Race(candidates_);
  search_ = WidthSearch(most_, grain_);
  widths_.clear();
  looks_ = 0;
  phase_ = Phase::kSchedules;
}

}  // namespace vicino::tune
