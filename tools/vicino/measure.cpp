#include "measure.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "output.hpp"
#include "probe.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

// Compares files, not names: the loader may have found the library under any of its names.
bool holds(const std::set<std::string>& paths, const fs::path& library) {
  std::error_code ignored;
  return std::ranges::any_of(
      paths, [&](const std::string& path) { return fs::equivalent(path, library, ignored); });
}

}  // namespace

Measurement::Measurement(Plan plan, Side base, Side vicino)
    : plan_(std::move(plan)), base_(std::move(base)), vicino_(std::move(vicino)) {}

void Measurement::expect_success(const Side& side, const std::vector<Outcome>& copies) const {
  for (const Outcome& copy : copies)
    if (copy.interrupted != 0) throw Interrupted{copy.interrupted};
  const auto failed = std::ranges::find_if(
      copies, [](const Outcome& copy) { return !copy.succeeded() && !copy.given_up; });
  if (failed == copies.end()) return;
  std::string otherwise;  // runs that went well make this failure worse
  if (output_) otherwise = &side == &base_ ? ", but not before" : ", but not on " + base_.name;
  const std::string which =
      copies.size() == 1 ? "the program"
                         : fmt::format("copy {} of {}", failed - copies.begin() + 1, copies.size());
  throw Failure(kProgramFailed,
                fmt::format("on {} {} failed: {}{}{}", side.name, which, how_it_ended(*failed),
                            otherwise, last_lines(failed->out + failed->err)));
}

// A program may print the time, or its threads in the order of their arrival. Then Vicino is not to
// blame for a difference, and one more run on the other runtime shows that.
bool Measurement::repeats_itself() const {
  return std::ranges::all_of(
      run_together(plan_.program, base_.environment, plan_.timeout, plan_.at_once),
      [&](const Outcome& copy) { return copy.out == *output_; });
}

void Measurement::expect_same_output(const Side& side, const Outcome& outcome) {
  if (!output_) output_ = outcome.out;
  if (!plan_.same_output) return;
  const auto difference = first_difference(*output_, outcome.out);
  if (!difference) return;
  const bool changes = &side == &base_ || !repeats_itself();
  throw Failure(kOutputsDiffer,
                fmt::format("the output on {} differs from that of the first run, on {}{}\n{}",
                            side.name, base_.name,
                            changes ? ", where it differs from run to run too" : "", *difference));
}

std::vector<Outcome> Measurement::run(const Side& side, const Environment& environment) {
  std::vector<Outcome> copies =
      run_together(plan_.program, environment, plan_.timeout, plan_.at_once);
  expect_success(side, copies);
  for (const Outcome& copy : copies) expect_same_output(side, copy);
  return copies;
}

void Measurement::look_at(Side& side) {
  const RuntimesSeen seen =
      look(side.environment, [&](const Environment& environment) { run(side, environment); });
  side.runtimes = seen.in_use();
  const std::string& name = plan_.program[0];
  if (side.forced && !holds(seen.in_use(), *side.forced))
    throw Failure(kNotOnVicino, fmt::format("'{}' did not run on {}: it used {}", name,
                                            side.forced->string(), names_of(seen.in_use())));
  if (!side.forced && seen.in_use().empty())
    throw Failure(kNotOnVicino,
                  fmt::format("'{}' loads no OpenMP runtime that can be replaced{}", name,
                              seen.looked ? "" : " (the loader's log is empty)"));
  if (seen.called.empty())
    warn(fmt::format("no OpenMP call was seen on {}, though {} is loaded", side.name,
                     names_of(seen.loaded)));
  if (side.forced && seen.called.size() > 1)
    warn(fmt::format("some calls still go to another runtime: {}", names_of(seen.called)));
}

void Measurement::look_at_both(const Progress& progress) {
  progress(*this, base_);
  look_at(base_);
  if (!base_.forced) base_.name = names_of(base_.runtimes);
  if (holds(base_.runtimes, *vicino_.forced))
    throw Failure(kNotOnVicino, "both sides are the same runtime: there is nothing to compare");
  progress(*this, vicino_);
  look_at(vicino_);
}

void Measurement::warm_up(const Progress& progress) {
  look_at_both(progress);
  for (int i = 1; i < plan_.warmups; ++i)
    for (Side* side : {&base_, &vicino_}) {
      progress(*this, *side);
      run(*side, side->environment);
    }
}

double Measurement::figure_of(const Side& side, const Outcome& outcome) const {
  const auto figure = read_figure(*plan_.metric, outcome.out, outcome.err);
  if (!figure)
    throw Failure(kNoMetric, fmt::format("--metric matches no positive number in what the "
                                         "program printed on {}{}",
                                         side.name, last_lines(outcome.out + outcome.err)));
  return *figure;
}

Sample Measurement::sample(const Side& side) {
  Sample result{};
  double figures = 0;
  for (const Outcome& copy : run(side, side.environment)) {
    result.wall = std::max(result.wall, copy.wall);
    result.user += copy.user;
    result.system += copy.system;
    result.walls.push_back(copy.wall);
    if (plan_.metric) figures += figure_of(side, copy);
  }
  if (plan_.metric) result.metric = figures / plan_.at_once;
  return result;
}

void Measurement::measure(const Progress& progress) {
  std::mt19937_64 random(plan_.seed);
  start_ = std::chrono::steady_clock::now();
  do {
    std::array<Side*, 2> order = {&base_, &vicino_};
    if ((random() >> 63) != 0) std::swap(order[0], order[1]);
    for (Side* side : order) {
      progress(*this, *side);
      side->samples.push_back(sample(*side));
    }
  } while (!done());
}

Seconds Measurement::elapsed() const { return std::chrono::steady_clock::now() - start_; }

double Measurement::progress() const {
  if (start_ == std::chrono::steady_clock::time_point{}) return 0;
  const auto have = static_cast<double>(pairs());
  const double by_pairs = plan_.pairs ? have / *plan_.pairs : 0;
  const double by_time = plan_.budget ? elapsed() / *plan_.budget : 0;
  return std::max(by_pairs, by_time);
}

std::vector<double> Measurement::ratios() const {
  std::vector<double> result;
  for (size_t i = 0; i < pairs(); ++i) {
    const double ratio = base_.samples[i].figure() / vicino_.samples[i].figure();
    result.push_back(plan_.higher_is_better ? 1 / ratio : ratio);
  }
  return result;
}

}  // namespace vicino::cli
