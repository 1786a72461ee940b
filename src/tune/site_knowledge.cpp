#include "tune/site_knowledge.hpp"

#include <algorithm>

namespace vicino::tune {

const Estimate* SiteKnowledge::width(int threads) const noexcept {
  const auto found = std::ranges::find(widths, threads, &Width::threads);
  return found == widths.end() ? nullptr : &found->estimate;
}

WidthSearch SiteKnowledge::search() const {
  WidthSearch search =
      has_only_ends() ? WidthSearch::of_ends(scope.most) : WidthSearch(scope.most, scope.grain);
  while (const auto next = search.next()) {
    const Estimate* estimate = width(*next);
    if (estimate == nullptr) break;
    search.record(*next, estimate->value());
  }
  return search;
}

int SiteKnowledge::best_width() const noexcept {
  const Width* best = nullptr;
  for (const Width& width : widths)
    if (may_have(width.threads) &&
        (best == nullptr || width.estimate.value() < best->estimate.value()))
      best = &width;
  return best == nullptr ? scope.most : best->threads;
}

void SiteKnowledge::learn_width(int threads, double cost, double ns) {
  auto at = std::ranges::find(widths, threads, &Width::threads);
  if (at == widths.end()) at = widths.insert(at, {threads, {}, ns});
  at->estimate.add(cost);
  at->shortest = std::min(at->shortest, ns);
}

void SiteKnowledge::forget_fewer_threads() {
  std::erase_if(widths, [this](const Width& w) { return w.threads != scope.most; });
}

void SiteKnowledge::begin_widths_with(uint32_t new_base) {
  base = new_base;
  has_raced = true;
  if (base != 0) by_default = race.estimate(0);
  widths.assign(1, {scope.most, race.estimate(base), shortest});
}

const Estimate* SiteKnowledge::time(Choice choice) const noexcept {
  const auto found = std::ranges::find(times_, choice, &Timed::choice);
  return found == times_.end() ? nullptr : &found->ns;
}

void SiteKnowledge::learn_time(Choice choice, double ns_per_iteration) {
  auto at = std::ranges::find(times_, choice, &Timed::choice);
  if (at == times_.end()) at = times_.insert(at, {choice, {}});
  at->ns.add(ns_per_iteration);
}

Estimate SiteKnowledge::of_default(bool any_base) const {
  if (race_threads == scope.most && race.estimate(0).count() > 0) return race.estimate(0);
  if (by_default.count() > 0) return by_default;
  const Estimate* const widest = base == 0 || any_base ? width(scope.most) : nullptr;
  return widest == nullptr ? Estimate() : *widest;
}

bool SiteKnowledge::proves_short(Choice choice, double ns) noexcept {
  if (choice != Choice{base, scope.most} || looks == TunerConstants::kLooks) return false;
  shortest = looks == 0 ? ns : std::min(shortest, ns);
  return ++looks >= scope.policy->looks_if_short && shortest < scope.short_ns;
}

void SiteKnowledge::learn_length(double ns) noexcept {
  if (ns > 0) is_short = scope.tries_one_thread_if_short() && ns < scope.short_ns;
}

std::optional<Choice> SiteKnowledge::second_best(Choice best) const {
  std::optional<Choice> second;
  double least = 0;
  const auto consider = [&](Choice choice, const Estimate& estimate) {
    if (choice == best || estimate.count() == 0) return;
    if (second && estimate.value() >= least) return;
    second = choice;
    least = estimate.value();
  };
  for (uint32_t i = 0; i < scope.candidates; ++i) consider({i, race_threads}, race.estimate(i));
  for (const Width& width : widths) consider({base, width.threads}, width.estimate);
  return second;
}

std::vector<Tried> SiteKnowledge::tried() const {
  std::vector<Tried> tried;
  const auto add_from_race = [&](uint32_t i) {
    if (race.estimate(i).count() > 0)
      tried.push_back({{i, race_threads}, race.estimate(i), race.is_out(i)});
  };
  for (const Width& width : widths)
    if (width.threads == race_threads && race.estimate(base).count() > 0)
      add_from_race(base);
    else
      tried.push_back({{base, width.threads}, width.estimate});
  for (uint32_t i = 0; i < scope.candidates; ++i)
    if (i != base) add_from_race(i);
  return tried;
}

namespace {

// The choice of the base that a race went on from, if these can have been tried in one run.
std::optional<Choice> start_of_race(std::span<const Tried> tried, int most, bool& races) {
  if (tried.empty() || tried[0].choice.threads != most) return std::nullopt;
  const uint32_t base = tried[0].choice.candidate;
  const auto is_other = [=](const Tried& t) { return t.choice.candidate != base; };
  const auto other = std::ranges::find_if(tried, is_other);
  races = other != tried.end();
  const Choice start{base, races ? other->choice.threads : most};
  const auto fits = [&](const Tried& t) {
    return !is_other(t) || t.choice.threads == start.threads;
  };
  if (!std::ranges::all_of(tried, fits) ||
      std::ranges::find(tried, start, &Tried::choice) == tried.end())
    return std::nullopt;
  return start;
}

}  // namespace

std::optional<bool> SiteKnowledge::restore(std::span<const Tried> tried,
                                           const Estimate& its_default, double trip) {
  bool races = false;
  const auto start = start_of_race(tried, scope.most, races);
  // What the rest of the program took is not remembered, so a race that counts it begins anew.
  if (!start || (scope.policy->counts_outside && races)) return std::nullopt;
  base = start->candidate;
  has_raced = base != 0;
  if (base != 0) by_default = its_default;
  for (const Tried& t : tried)
    if (t.choice.candidate != base)
      race.start_with(t.choice.candidate, t.estimate);
    else if (width(t.choice.threads) == nullptr)
      widths.push_back({t.choice.threads, t.estimate, t.estimate.interval().low * trip});
  if (races) {
    race_threads = start->threads;
    race.start_with(base, *width(race_threads));
    race.drop_beaten();
  }
  looks = scope.policy->counts_outside && base == 0
              ? 0
              : std::min(widths[0].estimate.count(), TunerConstants::kLooks);
  shortest = widths[0].shortest;
  is_short = scope.tries_one_thread_if_short() && looks == TunerConstants::kLooks &&
             shortest < scope.short_ns;
  return races;
}

void SiteKnowledge::begin_again(uint32_t new_base) {
  race = Race(scope.candidates, *scope.policy);
  race_threads = scope.most;
  base = new_base;
  by_default = {};
  widths.clear();
  times_.clear();
  looks = 0;
  is_short = false;
  idle = 1;
  has_raced = false;
  outside = {};
}

}  // namespace vicino::tune
