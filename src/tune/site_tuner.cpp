#include "tune/site_tuner.hpp"

#include <algorithm>

namespace vicino::tune {

SiteTuner::SiteTuner(uint32_t candidates, int most, int grain, IfShort if_short, double short_ns)
    : race_(candidates),
      candidates_(candidates),
      most_(most),
      grain_(grain),
      race_threads_(most),
      if_short_(if_short),
      settled_{0, most},
      short_ns_(short_ns) {}

const Estimate* SiteTuner::width(int threads) const {
  const auto found = std::ranges::find(widths_, threads, &Width::threads);
  return found == widths_.end() ? nullptr : &found->estimate;
}

const Estimate* SiteTuner::known(Choice choice) const {
  if (phase_ == Phase::kLike && choice.candidate == base_) return width(choice.threads);
  if (phase_ != Phase::kWidths) return &race_.estimate(choice.candidate);
  return choice.candidate == base_ ? width(choice.threads) : &default_;
}

Estimate SiteTuner::of_default() const {
  if (race_threads_ == most_ && race_.estimate(0).count() > 0) return race_.estimate(0);
  if (default_.count() > 0) return default_;
  // Of a loop that is short one schedule's time is like another's.
  const bool stands = base_ == 0 || phase_ == Phase::kLeftAlone;
  const Estimate* const widest = stands ? width(most_) : nullptr;
  return widest == nullptr ? Estimate() : *widest;
}

WidthSearch SiteTuner::search() const {
  WidthSearch search = short_ ? WidthSearch::of_ends(most_) : WidthSearch(most_, grain_);
  while (const auto next = search.next()) {
    const Estimate* estimate = width(*next);
    if (estimate == nullptr) break;
    search.record(*next, estimate->value());
  }
  return search;
}

int SiteTuner::winning_width() const {
  const int best = search().best();
  const double cost = width(best)->value();
  const auto beats = [cost](const Estimate& all) {
    return cost < (1 - Race::kWorth) * all.value();
  };
  return beats(*width(most_)) && (default_.count() == 0 || beats(default_)) ? best : most_;
}

bool SiteTuner::is_first_round(Choice choice) const {
  const Estimate* estimate = known(choice);
  return estimate == nullptr || estimate->count() < kLooks;
}

// One that is hopeless is, unless something else may have held it up; of all threads that has to be
// surer, for they are mostly best.
bool SiteTuner::is_known_enough(const Width& width, double best) const {
  const uint32_t count = width.estimate.count();
  const bool hopeless = width.estimate.value() > Race::kHopeless * best;
  const double sure = width.threads == most_ ? kLong : kLongOfFewer;
  return count >= kLooks || (hopeless && (count > 1 || width.shortest > sure));
}

// Each once, as the search has it, then those that are in doubt in turns; which may change where
// the search leads.
std::optional<int> SiteTuner::width_to_try() const {
  if (looks_ > 0 && looks_ < kLooks && shortest_ < short_ns_) return most_;
  const WidthSearch search = this->search();
  if (const auto next = search.next()) return next;
  const double best = width(search.best())->value();
  const Width* least = nullptr;
  for (const Width& width : widths_)
    if (!is_known_enough(width, best) &&
        (least == nullptr || width.estimate.count() < least->estimate.count()))
      least = &width;
  return least == nullptr ? std::nullopt : std::optional(least->threads);
}

std::optional<Choice> SiteTuner::to_try() const {
  if (phase_ == Phase::kSchedules) {
    const auto candidate = race_.next();
    return candidate ? std::optional(Choice{*candidate, race_threads_}) : std::nullopt;
  }
  if (phase_ == Phase::kLike) return to_compare();
  if (phase_ != Phase::kWidths) return std::nullopt;
  if (const auto threads = width_to_try()) return Choice{base_, *threads};
  // What it would have is not left unseen.
  if (base_ != 0 && winning_width() != most_ && default_.count() < kLooks) return Choice{0, most_};
  return std::nullopt;
}

Choice SiteTuner::best() const {
  switch (phase_) {
    case Phase::kSchedules:
      return {race_.best(), race_threads_};
    case Phase::kWidths:
      return {base_, search().best()};
    case Phase::kWarmUp:
    case Phase::kLike:
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
  return choice && may_try(*choice) ? *choice : best();
}

bool SiteTuner::may_try(Choice choice) const {
  if (!is_first_round(choice)) return within_budget();
  const bool can_wait = phase_ == Phase::kWidths && base_ != 0 && choice.threads < most_;
  return !can_wait || is_paid_for(choice.threads);
}

// By what the loop has run with the widths tried so far, in earlier runs of the program, too, an
// execution that is as much slower as threads are fewer.
bool SiteTuner::is_paid_for(int threads) const {
  const double lost = static_cast<double>(most_) / threads - 1;
  uint64_t count = 0;
  for (const Width& width : widths_) count += width.estimate.count();
  return lost <= kBudget * static_cast<double>(count);
}

// And not of one that began before the present phase did.
bool SiteTuner::is_of_phase(Choice choice) const {
  if (phase_ == Phase::kSchedules) return choice.threads == race_threads_;
  if (phase_ == Phase::kLike) return choice == settled_ || choice == Choice{0, most_};
  if (is_default(choice)) return width(most_) != nullptr;
  return choice.candidate == base_ &&
         (width(choice.threads) != nullptr || search().next() == choice.threads);
}

void SiteTuner::record(Choice choice, double ns, uint64_t trip, std::optional<double> amount,
                       double idle) {
  const double cost = amount.value_or(ns) / static_cast<double>(trip);
  ++executions_;
  missed_ = 0;
  trips_ += static_cast<double>(trip);
  if (phase_ == Phase::kWarmUp) {
    if (!stopped_in_ && !like_) base_ = base_after(idle);
    phase_ = stopped_in_.value_or(like_ ? Phase::kLike : Phase::kWidths);
    return;
  }
  total_ns_ += ns;
  if (phase_ == Phase::kLeftAlone) return watch(ns > 2 * short_ns_, idle);
  if (phase_ == Phase::kSettled) {
    ++since_settled_;
    settled_trips_ += static_cast<double>(trip);
    if (amount) learn_time(choice, ns / static_cast<double>(trip));
    if (choice == second_) compare_again(cost, ns, trip, amount.has_value());
    if (choice == settled_) watch(cost > kUp * settled_cost_ || cost < kDown * settled_cost_, idle);
    return;
  }
  if (!is_of_phase(choice)) return;
  if (choice == Choice{base_, most_} && looks_ < kLooks) {
    shortest_ = looks_ == 0 ? ns : std::min(shortest_, ns);
    if (++looks_ == kLooks && shortest_ < short_ns_) {
      if (!tries_one_thread() || most_ == 1) return leave_alone();
      short_ = true;
      if (phase_ == Phase::kWidths)
        std::erase_if(widths_, [this](const Width& w) { return w.threads != most_; });
    }
  }
  const bool first_round = is_first_round(choice);
  if (amount) learn_time(choice, ns / static_cast<double>(trip));
  learn(choice, cost, ns);
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

void SiteTuner::learn(Choice choice, double cost, double ns) {
  if (is_default(choice)) default_.add(cost);
  if (phase_ == Phase::kSchedules || (phase_ == Phase::kLike && choice.candidate != base_))
    return race_.record(choice.candidate, cost);
  if (choice.candidate != base_) return;
  auto at = std::ranges::find(widths_, choice.threads, &Width::threads);
  if (at == widths_.end()) at = widths_.insert(at, {choice.threads, {}, ns});
  at->estimate.add(cost);
  at->shortest = std::min(at->shortest, ns);
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
  const Estimate* const best = known(this->best());
  if (best == nullptr || best->count() == 0) return;  // it has not had its turn
  const double more = time_of(choice) - time_of(this->best());
  if (more <= 0) return;
  explored_ns_ += more * static_cast<double>(trip);
  if (!first_round || explored_again_ > 0) charged_ns_ += more * static_cast<double>(trip);
}

// To the next phase, when there is nothing left to try in this one.
void SiteTuner::go_on() {
  if (phase_ == Phase::kLike && !to_try()) end_comparison();
  if (phase_ == Phase::kWidths && !to_try()) {
    const int winner = winning_width();
    if (short_ && winner == most_) return leave_alone();
    if (short_ || candidates_ == 1) return settle({base_, winner});
    race_threads_ = winner;
    if (winner == most_) race_.start_with(0, default_);
    race_.start_with(base_, *width(winner));
    phase_ = Phase::kSchedules;
  }
  if (phase_ == Phase::kSchedules && !race_.next()) settle(best());
}

std::optional<SiteTuner::Found> SiteTuner::found_for(int bits) const {
  if (phase_ != Phase::kSettled || like_ || in_doubt()) return std::nullopt;
  if (settled_.threads != most_ && bits < 0) return std::nullopt;
  return Found{settled_, second_, bits};
}

void SiteTuner::begin_like(const Found& other) {
  like_ = other;
  settled_ = other.choice;
  race_threads_ = settled_.threads;
}

void SiteTuner::settle_as_like(int bits) { like_ = Found{settled_, second_, bits}; }

// In turns, the default first: what a profile goes on from begins with it.
std::optional<Choice> SiteTuner::to_compare() const {
  const auto count = [this](Choice choice) {
    const Estimate* const estimate = known(choice);
    return estimate == nullptr ? 0 : estimate->count();
  };
  const Choice by_default{0, most_};
  const uint32_t of_default = count(by_default), of_other = count(settled_);
  if (std::min(of_default, of_other) >= kLooks) return std::nullopt;
  if (of_default >= 2 && of_other >= 2 && settled_ != by_default) {
    const double a = known(by_default)->value(), b = known(settled_)->value();
    if (std::max(a, b) > Race::kHopeless * std::min(a, b)) return std::nullopt;
  }
  return of_default <= of_other ? by_default : settled_;
}

// Where it is no better than the default all is tried, and what is known of the widest is kept.
void SiteTuner::end_comparison() {
  const Choice by_default{0, most_};
  const double cost = known(settled_)->value();
  if (settled_ == by_default || cost < (1 - Race::kWorth) * known(by_default)->value()) {
    settle_on(settled_, cost, time_of(settled_) * mean_trip());
    if (!second_) second_ = like_->second;
    return;
  }
  like_.reset();
  race_ = Race(candidates_);
  race_threads_ = most_;
  std::erase_if(widths_, [this](const Width& w) { return w.threads != most_; });
  phase_ = Phase::kWidths;
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
  for (uint32_t i = 0; i < candidates_; ++i) consider({i, race_threads_}, race_.estimate(i));
  for (const Width& width : widths_) consider({base_, width.threads}, width.estimate);
  return second;
}

void SiteTuner::settle_on(Choice choice, double cost, double ns) {
  settled_ = choice;
  settled_cost_ = cost;
  const Choice by_default{0, most_};
  second_ = choice == by_default ? std::nullopt : std::optional(by_default);
  phase_ = Phase::kSettled;
  if (ns > 0) short_ = tries_one_thread() && ns < short_ns_;
  off_ = doubts_ = 0;
  since_settled_ = 0;
}

// Of a comparison with what another site has found, what a search can begin with.
std::vector<SiteTuner::Tried> SiteTuner::tried() const {
  std::vector<Tried> tried;
  if (phase_ == Phase::kLike) {
    if (const Estimate* const all = width(most_)) tried.push_back({{0, most_}, *all});
    return tried;
  }
  const auto add_from_race = [&](uint32_t i) {
    if (race_.estimate(i).count() > 0)
      tried.push_back({{i, race_threads_}, race_.estimate(i), race_.is_out(i)});
  };
  for (const Width& width : widths_)
    if (width.threads == race_threads_ && race_.estimate(base_).count() > 0)
      add_from_race(base_);
    else
      tried.push_back({{base_, width.threads}, width.estimate});
  for (uint32_t i = 0; i < candidates_; ++i)
    if (i != base_) add_from_race(i);
  return tried;
}

bool SiteTuner::go_on_from(std::span<const Tried> tried, const Estimate& of_default, double trip) {
  if (tried.empty() || tried[0].choice.threads != most_) return false;
  const uint32_t base = tried[0].choice.candidate;
  const auto is_other = [=](const Tried& t) { return t.choice.candidate != base; };
  const auto other = std::ranges::find_if(tried, is_other);
  const bool races = other != tried.end();
  const Choice racing{base, races ? other->choice.threads : most_};
  const auto fits = [&](const Tried& t) {
    return !is_other(t) || t.choice.threads == racing.threads;
  };
  if (!std::ranges::all_of(tried, fits) ||
      std::ranges::find(tried, racing, &Tried::choice) == tried.end())
    return false;
  base_ = base;
  if (base_ != 0) default_ = of_default;
  for (const Tried& t : tried)
    if (is_other(t))
      race_.start_with(t.choice.candidate, t.estimate);
    else if (width(t.choice.threads) == nullptr)
      widths_.push_back({t.choice.threads, t.estimate, t.estimate.interval().low * trip});
  if (races) {
    race_threads_ = racing.threads;
    race_.start_with(base_, *width(race_threads_));
    race_.drop_beaten();
  }
  looks_ = std::min(widths_[0].estimate.count(), kLooks);
  shortest_ = widths_[0].shortest;
  short_ = tries_one_thread() && looks_ == kLooks && shortest_ < short_ns_;
  phase_ = races ? Phase::kSchedules : Phase::kWidths;
  go_on();
  if (phase_ != Phase::kWidths && phase_ != Phase::kSchedules) return true;
  stopped_in_ = phase_;
  settled_ = best();
  phase_ = Phase::kWarmUp;
  return true;
}

// The second best has been used once more.
void SiteTuner::compare_again(double cost, double ns, uint64_t trip, bool is_timed_apart) {
  const Estimate* const time = known_time(settled_);
  // What a profile gives may come without.
  if (!is_timed_apart || time != nullptr) {
    const double usual = is_timed_apart ? time->value() : settled_cost_;
    const double lost = std::max(ns - usual * static_cast<double>(trip), 0.0);
    explored_ns_ += lost;
    charged_ns_ += lost;
  }
  doubts_ = cost < (1 - Race::kWorth) * settled_cost_ ? doubts_ + 1 : 0;
  if (doubts_ == kLooks) explore_again(base_after(0));
}

void SiteTuner::leave_alone() {
  settled_ = {0, most_};
  like_.reset();
  phase_ = Phase::kLeftAlone;
  off_ = 0;
}

// `off`: the last execution was not what the site's state rests on.
void SiteTuner::watch(bool off, double idle) {
  off_ = off ? off_ + 1 : 0;
  if (off_ < kOff || !within_budget()) return;
  explore_again(base_after(idle));
}

// The candidate to try widths with after an execution of the settled one. A taskloop's are tried
// strictly.
uint32_t SiteTuner::base_after(double idle) const noexcept {
  if (if_short_ == IfShort::kTryOneThread) return 0;
  return idle > kUneven && candidates_ > 1 ? 1 : settled_.candidate;
}

void SiteTuner::explore_again(uint32_t base) {
  off_ = doubts_ = 0;
  ++explored_again_;
  like_.reset();
  race_ = Race(candidates_);
  race_threads_ = most_;
  base_ = base;
  default_ = {};
  widths_.clear();
  times_.clear();
  looks_ = 0;
  short_ = false;
  phase_ = Phase::kWidths;
}

}  // namespace vicino::tune
