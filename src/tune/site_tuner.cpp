#include "tune/site_tuner.hpp"

#include <algorithm>

namespace vicino::tune {

SiteTuner::SiteTuner(uint32_t candidates, int most, int grain, Order order, double short_ns)
    : race_(candidates),
      search_(most, grain),
      candidates_(candidates),
      most_(most),
      grain_(grain),
      order_(order),
      settled_{0, most},
      short_ns_(short_ns) {}

uint32_t SiteTuner::width_candidate() const noexcept {
  return order_ == Order::kSchedulesFirst ? race_.best() : 0;
}

int SiteTuner::race_threads() const {
  return order_ == Order::kSchedulesFirst ? most_ : winning_width();
}

const Estimate* SiteTuner::width(int threads) const {
  const auto found = std::ranges::find(widths_, threads, &Width::threads);
  return found == widths_.end() ? nullptr : &found->estimate;
}

const Estimate* SiteTuner::known(Choice choice) const {
  return phase_ == Phase::kWidths ? width(choice.threads) : &race_.estimate(choice.candidate);
}

Estimate SiteTuner::of_default() const {
  if (order_ == Order::kSchedulesFirst) return race_.estimate(0);
  const Estimate* widest = width(most_);
  return widest == nullptr ? Estimate() : *widest;
}

int SiteTuner::winning_width() const {
  const Estimate* best = width(search_.best());
  const Estimate* widest = width(most_);
  const bool worth = best != nullptr && best->value() < (1 - Race::kWorth) * widest->value();
  return worth ? search_.best() : most_;
}

bool SiteTuner::is_first_round(Choice choice) const {
  const Estimate* estimate = known(choice);
  return estimate == nullptr || estimate->count() < kLooks;
}

std::optional<Choice> SiteTuner::to_try() const {
  if (phase_ == Phase::kSchedules) {
    const auto candidate = race_.next();
    return candidate ? std::optional(Choice{*candidate, race_threads()}) : std::nullopt;
  }
  if (phase_ == Phase::kWidths) {
    const auto threads = search_.next();
    return threads ? std::optional(Choice{width_candidate(), *threads}) : std::nullopt;
  }
  return std::nullopt;
}

Choice SiteTuner::best() const {
  switch (phase_) {
    case Phase::kSchedules:
      return {race_.best(), race_threads()};
    case Phase::kWidths:
      return {width_candidate(), search_.best()};
    case Phase::kWarmUp:
    case Phase::kSettled:
    case Phase::kLeftAlone:
      break;
  }
  return settled_;
}

Choice SiteTuner::choose() const {
  if (phase_ == Phase::kSettled) {
    const bool recheck = since_settled_ % kRecheck == kRecheck - 1 && within_budget();
    return recheck && second_ ? *second_ : settled_;
  }
  const auto choice = to_try();
  return choice && (is_first_round(*choice) || within_budget()) ? *choice : best();
}

// And not of one that began before the present phase did.
bool SiteTuner::is_of_phase(Choice choice) const {
  if (phase_ == Phase::kSchedules) return choice.threads == race_threads();
  return choice.candidate == width_candidate() &&
         (width(choice.threads) != nullptr || search_.next() == choice.threads);
}

void SiteTuner::record(Choice choice, double ns, uint64_t trip, std::optional<double> amount) {
  const double cost = amount.value_or(ns) / static_cast<double>(trip);
  ++executions_;
  missed_ = 0;
  trips_ += static_cast<double>(trip);
  if (phase_ == Phase::kWarmUp) return begin();
  total_ns_ += ns;
  if (phase_ == Phase::kLeftAlone) return watch(ns > 2 * short_ns_);
  if (phase_ == Phase::kSettled) {
    ++since_settled_;
    settled_trips_ += static_cast<double>(trip);
    if (choice == second_) compare_again(cost, ns, trip);
    if (choice == settled_) watch(cost > kUp * settled_cost_ || cost < kDown * settled_cost_);
    return;
  }
  if (!is_of_phase(choice)) return;
  if (choice == Choice{0, most_} && looks_ < kLooks) {
    shortest_ = looks_ == 0 ? ns : std::min(shortest_, ns);
    if (++looks_ == kLooks && shortest_ < short_ns_) {
      if (order_ == Order::kSchedulesFirst || most_ == 1) return leave_alone();
      short_ = true;
      search_ = WidthSearch::of_ends(most_);
    }
  }
  const bool first_round = is_first_round(choice);
  if (amount) learn_time(choice, ns / static_cast<double>(trip));
  learn(choice, cost);
  charge(choice, first_round, trip);
  go_on();
}

void SiteTuner::miss() {
  if (phase_ == Phase::kSettled) {
    ++since_settled_;
  } else if (phase_ != Phase::kLeftAlone && ++missed_ == kMostMissed) {
    missed_ = 0;
    leave_alone();
  }
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

void SiteTuner::learn_time(Choice choice, double ns) {
  auto at = std::ranges::find(times_, choice, &Timed::choice);
  if (at == times_.end()) at = times_.insert(at, {choice, {}});
  at->ns.add(ns);
}

// Null where costs are times.
const Estimate* SiteTuner::known_time(Choice choice) const {
  const auto found = std::ranges::find(times_, choice, &Timed::choice);
  return found == times_.end() ? nullptr : &found->ns;
}

double SiteTuner::time_of(Choice choice) const {
  const Estimate* time = known_time(choice);
  return (time != nullptr ? time : known(choice))->value();
}

void SiteTuner::charge(Choice choice, bool first_round, uint64_t trip) {
  const double more = time_of(choice) - time_of(best());
  if (more <= 0) return;
  explored_ns_ += more * static_cast<double>(trip);
  if (!first_round || explored_again_ > 0) charged_ns_ += more * static_cast<double>(trip);
}

void SiteTuner::begin() {
  phase_ = order_ == Order::kSchedulesFirst ? Phase::kSchedules : Phase::kWidths;
}

// To the next phase, when there is nothing left to try in this one.
void SiteTuner::go_on() {
  if (order_ == Order::kSchedulesFirst) {
    if (phase_ == Phase::kSchedules && !race_.next()) {
      phase_ = Phase::kWidths;
      const Estimate& winner = race_.estimate(race_.best());
      widths_.push_back({most_, winner});
      search_.record(most_, winner.value());
    }
    if (phase_ == Phase::kWidths && !search_.next()) {
      settle({race_.best(), winning_width()});
    }
    return;
  }
  if (phase_ == Phase::kWidths && !search_.next()) {
    if (short_ && winning_width() == most_) return leave_alone();
    if (short_ || candidates_ == 1) return settle({0, winning_width()});
    phase_ = Phase::kSchedules;
  }
  if (phase_ == Phase::kSchedules && !race_.next()) settle(best());
}

void SiteTuner::settle(Choice choice) {
  settle_on(choice, known(choice)->value());
  if (!second_) second_ = second_best();
}

// Of what was measured.
std::optional<Choice> SiteTuner::second_best() const {
  std::optional<Choice> second;
  double least = 0;
  const auto consider = [&](Choice choice, const Estimate& estimate) {
    if (choice == settled_ || estimate.count() == 0) return;
    if (second && estimate.value() >= least) return;
    second = choice;
    least = estimate.value();
  };
  for (uint32_t i = 0; i < candidates_; ++i) consider({i, race_threads()}, race_.estimate(i));
  for (const Width& width : widths_) consider({width_candidate(), width.threads}, width.estimate);
  return second;
}

void SiteTuner::settle_on(Choice choice, double cost) {
  settled_ = choice;
  settled_cost_ = cost;
  const Choice by_default{0, most_};
  second_ = choice == by_default ? std::nullopt : std::optional(by_default);
  phase_ = Phase::kSettled;
  off_ = doubts_ = 0;
  since_settled_ = 0;
}

// The second best has been used once more.
void SiteTuner::compare_again(double cost, double ns, uint64_t trip) {
  const Estimate* time = known_time(settled_);
  const double usual = time != nullptr ? time->value() : settled_cost_;
  const double lost = std::max(ns - usual * static_cast<double>(trip), 0.0);
  explored_ns_ += lost;
  charged_ns_ += lost;
  doubts_ = cost < (1 - Race::kWorth) * settled_cost_ ? doubts_ + 1 : 0;
  if (doubts_ == kLooks) explore_again();
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
  explore_again();
}

void SiteTuner::explore_again() {
  off_ = doubts_ = 0;
  ++explored_again_;
  race_ = Race(candidates_);
  search_ = WidthSearch(most_, grain_);
  widths_.clear();
  times_.clear();
  looks_ = 0;
  short_ = false;
  begin();
}

}  // namespace vicino::tune
