#include "graph/grain.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/arithmetic.hpp"
#include "graph/continuation.hpp"
#include "graph/shape.hpp"

namespace vicino::graph {
namespace {

// How much more an aggregate costs than its managing, in the coarse strings that are tried.
constexpr double kGrains[] = {20, 160, 1280};
// How many lines of C are put together.
constexpr double kLines[] = {2, 4, 8, 16};
// Aggregates for each thread: with fewer of them threads wait for each other.
constexpr double kLeastPerThread = 8;
// A coarse string is not tried if its bound is above that many times the time of one thread, or the
// least bound of the others.
constexpr double kHopelessAlone = 1.2, kHopelessBound = 2;
// Another race: how many runs come before it for each run of the race before, and how many coarse
// strings take part.
constexpr uint64_t kRest = 16;
constexpr size_t kRaceAgain = 4;

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

}  // namespace

class Grain::Guard {
 public:
  explicit Guard(sync::Lock& lock) : lock_(lock) { lock_.acquire(kPatience); }
  ~Guard() { lock_.release(); }
  Guard(const Guard&) = delete;

  // Gives the lock back while work() runs, which does not throw.
  template <class Work>
  auto without(Work work) {
    lock_.release();
    auto result = work();
    lock_.acquire(kPatience);
    return result;
  }

 private:
  static constexpr plat::Budget kPatience{.ns = 10'000};
  sync::Lock& lock_;
};

Grain::Grain(std::shared_ptr<Plan> base)
    : base_(std::move(base)), lines_(Continuation::group(base_->coarse().graph, 0).size()) {}

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

size_t Grain::tuning_for(const void* body, int threads) {
  for (size_t i = 0; i < tunings_.size(); ++i)
    if (tunings_[i].body == body && tunings_[i].threads == threads) return i;
  tunings_.push_back({body, threads});
  return tunings_.size() - 1;
}

Grain::Turn Grain::begin(const void* body, int threads) {
  Guard guard(lock_);
  const size_t number = tuning_for(body, threads);
  Tuning& tuning = tunings_[number];
  if (threads == 1 || tuning.being_timed) return turn_of(number, tuning.fastest, false);
  const auto next = next_candidate(guard, tuning);
  tuning.being_timed = next.has_value();
  return turn_of(number, next.value_or(tuning.fastest), next.has_value());
}

// The candidate whose turn it is; none if the fastest one runs and is not timed.
std::optional<uint32_t> Grain::next_candidate(Guard& guard, Tuning& tuning) {
  if (tuning.alone_ns == 0) return kAlone;
  if (tuning.rests == 0) {
    if (const auto next = next_in_race(guard, tuning)) return ++tuning.raced, next;
    tuning.fastest = tuning.race.best();
    keep_plan(tuning, tuning.fastest);
    tuning.rests = (tuning.raced << std::min<uint64_t>(tuning.race_count, 20)) * kRest + 1;
  }
  if (--tuning.rests == 0) race_again(tuning);
  return std::nullopt;
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

Grain::Turn Grain::turn_of(size_t number, uint32_t candidate, bool timed) {
  Tuning& tuning = tunings_[number];
  const auto& plan = candidate == kAlone ? base_ : tuning.candidates[candidate].plan;
  return {plan, candidate == kAlone ? 1 : tuning.threads, timed, number, candidate};
}

void Grain::end(const Turn& turn, std::optional<uint64_t> ns) {
  if (!turn.timed) return;
  const Guard guard(lock_);
  Tuning& tuning = tunings_[turn.tuning];
  tuning.being_timed = false;
  if (!ns) return;
  const double time = std::max(static_cast<double>(*ns), 1.0);
  if (tuning.alone_ns == 0) {  // the first run also fetches the data, so it counts for nothing else
    name_candidates(tuning, time);
    tuning.alone_ns = time;
    return;
  }
  tuning.race.record(turn.candidate, time);
  if (tuning.race_count == 0) tuning.fastest = tuning.race.best();
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
  tuning.candidates.assign(1, {"alone", base_});
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
  return std::make_shared<Plan>(*std::move(coarse));
} catch (const std::bad_alloc&) {
  return nullptr;
}

// Makes the candidate's plan, for which others need not wait; false if it is not worth trying.
bool Grain::make_ready(Guard& guard, Tuning& tuning, Candidate& candidate) {
  if (candidate.plan == nullptr) {
    tuning.being_timed = true;  // so no other run changes the tuning meanwhile
    candidate.plan = guard.without([&] { return plan_for(candidate.text); });
    tuning.being_timed = false;
  }
  if (candidate.plan == nullptr) {
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
  text += (tuning.race.next() ? "so far " : "") + named(tuning.candidates[tuning.fastest].text);
  text += "\n  one thread: " + in_us(tuning.alone_ns) + " at the first run; managing: " +
          std::to_string(round_to_nearest(overhead(tuning.threads))) + " ns for each aggregate\n";
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
