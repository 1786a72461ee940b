#include "graph/grain.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "base/arithmetic.hpp"
#include "base/hash.hpp"
#include "graph/continuation.hpp"
#include "graph/guard.hpp"
#include "graph/shape.hpp"
#include "graph/tree.hpp"

namespace vicino::graph {
namespace {

// How much more an aggregate costs than its managing, in the coarse strings that are tried.
constexpr double kGrains[] = {20, 160, 1280};
// How many lines of C are put together.
constexpr double kLines[] = {2, 4, 8, 16};
// Blocks of B for each thread, in as many tasks as a sweep takes to come back (mean_reach).
constexpr double kBlocks[] = {2, 4, 16};
// Aggregates of T for each thread. T is tried if the tasks are at least kLeastBreadth times the
// elimination tree's height.
constexpr double kSubtrees[] = {8, 32, 128};
constexpr double kLeastBreadth = 1.5;
// Aggregates for each thread: with fewer of them threads wait for each other.
constexpr double kLeastPerThread = 8;
// A coarse string is not tried if its bound is above that many times the time of one thread, or the
// least bound of the others.
constexpr double kHopelessAlone = 1.2, kHopelessBound = 2;
// Another race: how many runs come before it for each run of the race before, and how many coarse
// strings take part.
constexpr uint64_t kRest = 16;
constexpr size_t kRaceAgain = 4;

constexpr const char* kAloneText = "alone";

std::string with_number(const char* pass, double number) {
  return pass + ("(" + std::to_string(static_cast<uint64_t>(number))) + ")";
}

std::string percent(double part) { return std::to_string(round_to_nearest(100 * part)) + " %"; }

std::string in_us(double ns) { return std::to_string(round_to_nearest(ns / 1000)) + " us"; }

// The times of this race; if there are none, those of a race before.
std::string times_of(const tune::Estimate& now, const tune::Estimate& before) {
  const tune::Estimate& times = now.count() > 0 ? now : before;
  if (times.count() == 0) return "not tried yet";
  return in_us(times.value()) + " in " + std::to_string(times.count()) + " runs";
}

std::string named(const std::string& text) { return text.empty() ? "no pass" : text; }

// The length comes first: where one array ends and the next begins makes a difference.
template <class Item>
uint64_t hash_array(std::span<const Item> items, uint64_t hash) noexcept {
  const uint64_t size = items.size();
  hash = hash_by_words({reinterpret_cast<const char*>(&size), sizeof size}, hash);
  return hash_by_words({reinterpret_cast<const char*>(items.data()), items.size_bytes()}, hash);
}

uint64_t hash_rows(const Rows& rows, uint64_t hash) noexcept {
  return hash_array(rows.items(), hash_array(rows.first(), hash));
}

// The edges inside aggregates are not in it: no pass sees them.
uint64_t hash_of(const Coarse& coarse) noexcept {
  const uint64_t graph = hash_rows(coarse.graph.before(), hash_by_words("graph"));
  return hash_rows(coarse.tasks, hash_array(coarse.graph.costs(), graph));
}

// How far edges reach back in the order of one thread: the longest edge of each task, in the mean.
// On a grid that is a plane: a sweep comes back to the same place after so many tasks.
double mean_reach(const Graph& graph) {
  std::vector<uint32_t> place(graph.size());
  for (uint32_t i = 0; i < graph.size(); ++i) place[graph.in_order(i)] = i;
  double sum = 0, counted = 0;
  for (uint32_t task = 0; task < graph.size(); ++task) {
    uint32_t first = place[task];
    for (const uint32_t other : graph.before(task)) first = std::min(first, place[other]);
    sum += place[task] - first;
    counted += first != place[task];
  }
  return sum / std::max(counted, 1.0);
}

// Whether T may be worth trying. Two trees are built to tell.
bool is_broad(const Graph& graph) {
  return graph.size() >= kLeastBreadth * EliminationTree::lower_of(graph).height();
}

}  // namespace

Grain::Grain(std::shared_ptr<Plan> base)
    : base_(std::move(base)), lines_(Continuation::group(base_->coarse().graph, 0).size()) {}

Grain::~Grain() {
  if (farewell_ != nullptr) farewell_(*this);
}

void Grain::at_end(Farewell farewell) {
  const Guard guard(lock_);
  farewell_ = farewell;
}

uint64_t Grain::structure() const {
  const Guard guard(lock_);
  if (!structure_) structure_ = hash_of(base_->coarse());
  return *structure_;
}

bool Grain::is_new(const void* body, int threads) const {
  const Guard guard(lock_);
  return !known_tuning(body, threads);
}

// One for each that was tried; only the one for no pass has its plan.
std::vector<Grain::Candidate> Grain::candidates_of(const Known& known) const {
  std::vector<Candidate> candidates{{kAloneText, base_}};
  for (size_t i = 1; i < known.tried.size(); ++i) {
    const std::string& text = known.tried[i].text;
    candidates.push_back({text, text.empty() ? base_ : nullptr});
  }
  for (size_t i = 0; i < candidates.size(); ++i) candidates[i].before = known.tried[i].ns;
  return candidates;
}

bool Grain::start_from(const void* body, int threads, const Known& known) {
  const bool is_sound = known.alone_ns > 0 && std::isfinite(known.alone_ns) &&
                        known.best < known.tried.size() && known.tried.size() < UINT32_MAX;
  if (!is_sound) return false;
  for (size_t i = 1; i < known.tried.size(); ++i)
    if (!parse_coarse_string(known.tried[i].text)) return false;
  std::vector<Candidate> candidates = candidates_of(known);
  Candidate& fastest = candidates[known.best];
  if (fastest.plan == nullptr) fastest.plan = plan_for(fastest.text);
  if (fastest.plan == nullptr) return false;
  const auto size = static_cast<uint32_t>(candidates.size());
  tune::Race race(size);
  for (uint32_t i = 0; i < size; ++i)
    if (candidates[i].before.count() > 0) race.start_with(i, candidates[i].before);
  race.drop_beaten();

  const Guard guard(lock_);
  if (known_tuning(body, threads)) return true;  // another thread was faster
  Tuning& tuning = tunings_[tuning_for(body, threads)];
  tuning.alone_ns = known.alone_ns;
  tuning.candidates = std::move(candidates);
  tuning.race = std::move(race);
  tuning.fastest = known.best;
  tuning.seen.remembered = tuning.alone_is_remembered = true;
  tuning.warms_up = !known.settled;
  for (const Known::Tried& tried : known.tried) tuning.raced += tried.ns.count();
  if (!known.settled) return true;
  tuning.race_count = tuning.remembered_races = std::min<uint64_t>(known.races, UINT32_MAX);
  rest(tuning);
  return true;
}

std::optional<Grain::Findings> Grain::findings(const void* body, int threads) const {
  const Guard guard(lock_);
  const auto number = known_tuning(body, threads);
  if (!number || tunings_[*number].alone_ns == 0) return std::nullopt;
  const Tuning& tuning = tunings_[*number];
  Findings found{known_of(tuning), {}};
  const double best = found.known.tried[found.known.best].ns.value();
  const double lost = tuning.timed_ns - best * static_cast<double>(tuning.timed_runs);
  found.seen = tuning.seen;
  found.seen.races = found.known.races - tuning.remembered_races;
  found.seen.lost_ns = best > 0 ? std::max(lost, 0.0) : 0;
  return found;
}

// While a later race is under way, what the one before it has found.
Known Grain::known_of(const Tuning& tuning) {
  const bool is_later_race = is_racing(tuning) && tuning.race_count > 0;
  Known known{.alone_ns = tuning.alone_ns,
              .tried = {},
              .best = 0,
              .settled = !is_racing(tuning) || is_later_race,
              .races = tuning.race_count - is_later_race};
  const uint32_t best = tuning.rests > 0 || is_later_race ? tuning.fastest : tuning.race.best();
  for (uint32_t i = 0; i < tuning.candidates.size(); ++i) {
    const Candidate& candidate = tuning.candidates[i];
    const tune::Estimate& now = tuning.race.estimate(i);
    const tune::Estimate& ns = is_later_race || now.count() == 0 ? candidate.before : now;
    const bool is_left = !known.settled && candidate.ruled_out.empty();
    if (i != kAlone && i != best && ns.count() == 0 && !is_left) continue;
    if (i == best) known.best = static_cast<uint32_t>(known.tried.size());
    known.tried.push_back({candidate.text, ns, now.count() > 0 && tuning.race.is_out(i)});
  }
  return known;
}

// Whether a race is under way.
bool Grain::is_racing(const Tuning& tuning) noexcept {
  return tuning.rests == 0 && tuning.race.next();
}

std::shared_ptr<Plan> Grain::wants_overhead(int threads) {
  const Guard guard(lock_);
  return threads == 1 || overhead(threads) > 0 ? nullptr : base_;
}

void Grain::set_overhead(int threads, uint64_t ns) {
  const Guard guard(lock_);
  const double tasks = std::max(1u, base_->coarse().graph.size());
  overheads_.push_back({threads, std::max(static_cast<double>(ns) / tasks, 1.0)});
}

double Grain::overhead(int threads) const noexcept {
  const auto known = std::ranges::find(overheads_, threads, &Overhead::threads);
  return known != overheads_.end() ? known->ns : 0;
}

std::optional<size_t> Grain::known_tuning(const void* body, int threads) const noexcept {
  for (size_t i = 0; i < tunings_.size(); ++i)
    if (tunings_[i].body == body && tunings_[i].threads == threads) return i;
  return std::nullopt;
}

size_t Grain::tuning_for(const void* body, int threads) {
  if (const auto number = known_tuning(body, threads)) return *number;
  tunings_.push_back({body, threads});
  return tunings_.size() - 1;
}

Grain::Begun Grain::begin(const void* body, int threads) {
  Guard guard(lock_);
  const size_t number = tuning_for(body, threads);
  Tuning& tuning = tunings_[number];
  if (threads == 1 || tuning.being_timed) return begin_with(number, tuning.fastest, false);
  const auto next = next_candidate(guard, tuning);
  tuning.being_timed = next.has_value();
  return begin_with(number, next.value_or(tuning.fastest), next.has_value());
}

// The candidate whose turn it is; none if the fastest one runs and is not timed.
std::optional<uint32_t> Grain::next_candidate(Guard& guard, Tuning& tuning) {
  if (tuning.alone_ns == 0) return kAlone;
  if (std::exchange(tuning.warms_up, false)) return std::nullopt;
  if (tuning.rests == 0) {
    if (const auto next = next_in_race(guard, tuning)) return ++tuning.raced, next;
    const uint32_t best = tuning.race.best();
    // If it won by what another process measured, it has no plan yet.
    if (make_plan(guard, tuning, tuning.candidates[best])) tuning.fastest = best;
    tuning.seen.remembered = false;
    keep_plan(tuning, tuning.fastest);
    rest(tuning);
  }
  if (--tuning.rests == 0) race_again(tuning);
  return std::nullopt;
}

// A race is over.
void Grain::rest(Tuning& tuning) {
  tuning.rests = (tuning.raced << std::min<uint64_t>(tuning.race_count, 20)) * kRest + 1;
}

void Grain::race_again(Tuning& tuning) {
  std::vector<uint32_t> by_time;
  for (uint32_t i = 1; i < tuning.candidates.size(); ++i)
    if (tuning.race.estimate(i).count() > 0) by_time.push_back(i);
  if (by_time.empty()) {  // nothing else was worth trying
    tuning.rests = UINT64_MAX;
    return;
  }
  for (uint32_t i = 0; i < tuning.candidates.size(); ++i)
    if (tuning.race.estimate(i).count() > 0) tuning.candidates[i].before = tuning.race.estimate(i);
  std::ranges::sort(by_time, {}, [&](uint32_t i) { return tuning.race.estimate(i).value(); });
  by_time.resize(std::min(by_time.size(), kRaceAgain));
  tune::Race race(static_cast<uint32_t>(tuning.candidates.size()));
  for (uint32_t i = 1; i < tuning.candidates.size(); ++i)
    if (std::ranges::find(by_time, i) == by_time.end()) race.drop(i);
  tuning.race = race;
  tuning.raced = 0;
  ++tuning.race_count;
}

// The candidate whose turn it is, which is made ready; none when the race is over.
std::optional<uint32_t> Grain::next_in_race(Guard& guard, Tuning& tuning) {
  while (const auto next = tuning.race.next()) {
    if (make_ready(guard, tuning, tuning.candidates[*next])) return next;
    tuning.race.drop(*next);
  }
  return std::nullopt;
}

Grain::Begun Grain::begin_with(size_t number, uint32_t candidate, bool timed) {
  Tuning& tuning = tunings_[number];
  const auto& plan = candidate == kAlone ? base_ : tuning.candidates[candidate].plan;
  return {plan, candidate == kAlone ? 1 : tuning.threads, timed, number, candidate};
}

void Grain::count(Tuning& tuning, const Begun& begun, double ns) noexcept {
  ++tuning.seen.runs;
  tuning.seen.total_ns += ns;
  if (begun.timed) {
    ++tuning.timed_runs;
    tuning.timed_ns += ns;
  } else if (tuning.rests > 0) {
    ++tuning.seen.settled_runs;
  }
}

void Grain::end(const Begun& begun, std::optional<uint64_t> ns) {
  const Guard guard(lock_);
  Tuning& tuning = tunings_[begun.tuning];
  if (begun.timed) tuning.being_timed = false;
  if (!ns) return;
  const double time = std::max(static_cast<double>(*ns), 1.0);
  count(tuning, begun, time);
  if (!begun.timed) return;
  if (tuning.alone_ns == 0) {  // the first run also fetches the data, so it counts for nothing else
    name_candidates(tuning, time);
    tuning.alone_ns = time;
    return;
  }
  tuning.race.record(begun.candidate, time);
  if (tuning.race_count == 0) {
    const uint32_t best = tuning.race.best();
    if (tuning.candidates[best].plan != nullptr) tuning.fastest = best;
    tuning.seen.remembered = false;
  }
  for (uint32_t i = 0; i < tuning.candidates.size(); ++i)
    if (tuning.race.is_out(i) && i != tuning.fastest) drop_plan(tuning.candidates[i]);
}

// Other plans are made again for the next race: they may be as large as the graph.
void Grain::keep_plan(Tuning& tuning, uint32_t fastest) const {
  for (uint32_t i = 0; i < tuning.candidates.size(); ++i)
    if (i != fastest) drop_plan(tuning.candidates[i]);
}

void Grain::name_candidates(Tuning& tuning, double alone_ns) const {
  const Graph& graph = base_->coarse().graph;
  const double tasks = graph.size();
  const double managing = overhead(tuning.threads);
  const auto try_also = [&tuning](std::string text) {
    const auto same = [&](const Candidate& other) { return other.text == text; };
    if (std::ranges::none_of(tuning.candidates, same))
      tuning.candidates.push_back({std::move(text), nullptr});
  };
  tuning.candidates.assign(1, {kAloneText, base_});
  tuning.candidates.push_back({"", base_});
  const double per_task = alone_ns / std::max(tasks, 1.0);
  const double most = tasks / (kLeastPerThread * tuning.threads);
  const double line = tasks / std::max(lines_, 1u);  // tasks in a line of C
  if (line >= 2) try_also("C");
  for (const double lines : kLines)
    if (line >= 2 && lines * line <= most) try_also(with_number("CD", lines));
  for (const double grain : kGrains) {
    const double wanted = std::min(round_up(grain * managing / per_task), most);
    if (wanted >= 2) try_also(with_number("D", wanted));
  }
  const double reach = mean_reach(graph);
  for (const double blocks : kBlocks) {
    const double length = round_down(reach / (blocks * tuning.threads));
    if (length >= 2 && length * per_task >= kGrains[0] * managing)
      try_also(with_number("B", length));
  }
  const auto subtree = [&](double subtrees) {
    return round_down(tasks / (subtrees * tuning.threads));
  };
  if (subtree(kSubtrees[0]) >= 2 && is_broad(graph))
    for (const double subtrees : kSubtrees)
      if (subtree(subtrees) >= 2) try_also(with_number("T", subtree(subtrees)));
  for (const int fronts : {1, 4, 16}) try_also(with_number("F", fronts * tuning.threads));
  tuning.race = tune::Race(static_cast<uint32_t>(tuning.candidates.size()));
}

void Grain::drop_plan(Candidate& candidate) const {
  if (candidate.plan != base_) candidate.plan = nullptr;
}

// Null without memory.
std::shared_ptr<Plan> Grain::plan_for(const std::string& text) const noexcept try {
  const Result<CoarseString> steps = parse_coarse_string(text);
  Result<Coarse> coarse = coarsen(base_->coarse(), *steps);
  if (!coarse) return nullptr;
  return std::make_shared<Plan>(*std::move(coarse));
} catch (const std::bad_alloc&) {
  return nullptr;
}

// Makes the candidate's plan, for which others need not wait; false without memory.
bool Grain::make_plan(Guard& guard, Tuning& tuning, Candidate& candidate) {
  if (candidate.plan != nullptr) return true;
  tuning.being_timed = true;  // so no other run changes the tuning meanwhile
  candidate.plan = guard.without([&] { return plan_for(candidate.text); });
  tuning.being_timed = false;
  return candidate.plan != nullptr;
}

// False if the candidate is not worth trying.
bool Grain::make_ready(Guard& guard, Tuning& tuning, Candidate& candidate) {
  if (!make_plan(guard, tuning, candidate)) {
    candidate.ruled_out = "there is no memory for it";
    return false;
  }
  if (candidate.bound > 0) return true;
  const bool alone = &candidate == &tuning.candidates[kAlone];
  candidate.bound = alone ? 1 : bound_of(tuning, candidate.plan->coarse().graph);
  double least = candidate.bound;
  for (const Candidate& other : tuning.candidates)
    if (other.bound > 0) least = std::min(least, other.bound);
  if (candidate.bound <= std::min(kHopelessAlone, kHopelessBound * least)) return true;
  candidate.ruled_out = "at least " + percent(candidate.bound) + " of the time of one thread";
  drop_plan(candidate);
  return false;
}

double Grain::bound_of(const Tuning& tuning, const Graph& graph) const {
  const double managing = overhead(tuning.threads);
  const double unit = tuning.alone_ns / std::max(cost_of(graph), 1e-30);
  const double shared = (tuning.alone_ns + managing * graph.size()) / tuning.threads;
  return std::max(shared, critical_path(graph, unit, managing)) / tuning.alone_ns;
}

std::string Grain::explain() const {
  const Guard guard(lock_);
  if (tunings_.empty()) return "automatic: the graph has not run yet\n";
  std::string text;
  for (const Tuning& tuning : tunings_) text += explain(tuning);
  return text;
}

std::string Grain::explain(const Tuning& tuning) const {
  std::string text = "automatic, " + std::to_string(tuning.threads) +
                     (tuning.threads == 1 ? " thread: " : " threads: ");
  if (tuning.threads == 1) return text + "one thread runs all tasks in order\n";
  if (tuning.alone_ns == 0) return text + "not timed yet\n";
  text += (is_racing(tuning) ? "so far " : "") + named(tuning.candidates[tuning.fastest].text);
  if (tuning.seen.remembered) text += ", as the profile has it";
  text += "\n  one thread: " + in_us(tuning.alone_ns);
  text += tuning.alone_is_remembered ? " in an earlier process" : " at the first run";
  if (const double managing = overhead(tuning.threads); managing > 0)
    text += "; managing: " + std::to_string(round_to_nearest(managing)) + " ns for each aggregate";
  text += "\n";
  for (uint32_t i = 0; i < tuning.candidates.size(); ++i) {
    const Candidate& candidate = tuning.candidates[i];
    text += "  " + named(candidate.text) + ": ";
    if (!candidate.ruled_out.empty())
      text += "not tried, " + candidate.ruled_out;
    else
      text += times_of(tuning.race.estimate(i), candidate.before);
    text += "\n";
  }
  return text;
}

}  // namespace vicino::graph
