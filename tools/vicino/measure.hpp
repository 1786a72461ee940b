// measure.hpp: runs one program, or copies of it at once, on two runtimes, in interleaved pairs.
//
// Why    If all runs of one side came after all runs of the other side, every drift of the machine
//        (heat, neighbours, caches) would fall on one side. So each pair runs both sides, one right
//        after the other, in a random order, so that neither side always profits from going second.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "environment.hpp"
#include "process.hpp"
#include "program.hpp"

namespace vicino::cli {

struct Plan {
  Words program;
  std::optional<int> pairs;
  std::optional<Seconds> budget;   // for the counted pairs; the pair that exceeds it is the last
  int at_once = 1;                 // copies of the program in a run
  int warmups = 1;                 // of each side; the first also finds the runtimes in use
  std::optional<Seconds> timeout;  // of a run
  std::optional<std::regex> metric;
  bool higher_is_better = false;
  bool same_output = false;
  uint64_t seed = 0;
};

struct Sample {
  double wall;                   // to the end of the last copy
  double user, system;           // of all copies
  std::optional<double> metric;  // the mean of the copies
  std::vector<double> walls;     // of each copy

  double figure() const { return metric.value_or(wall); }
};

struct Side {
  std::string name;                             // for people
  std::optional<std::filesystem::path> forced;  // the runtime put in; none: the program's own
  Environment environment;
  std::set<std::string> runtimes;  // in use in the first warm-up run
  std::vector<Sample> samples;     // one per pair
};

class Measurement {
 public:
  using Progress = std::function<void(const Measurement&, const Side&)>;

  Measurement(Plan plan, Side base, Side vicino);

  // Does the warm-up runs. Throws Failure if a side does not run on its runtime.
  void warm_up(const Progress& progress);
  // Measures the pairs. Throws Failure as soon as a run fails or its output is not the same.
  void measure(const Progress& progress);

  const Plan& plan() const noexcept { return plan_; }
  const Side& base() const noexcept { return base_; }
  const Side& vicino() const noexcept { return vicino_; }
  size_t pairs() const noexcept { return std::min(base_.samples.size(), vicino_.samples.size()); }
  Seconds elapsed() const;
  // From 0 to 1, by pairs or by time, whichever is greater.
  double progress() const;
  // For each whole pair, how many times better Vicino is; above 1 Vicino is better.
  std::vector<double> ratios() const;

 private:
  void look_at(Side& side);
  void look_at_both(const Progress& progress);
  std::vector<Outcome> run(const Side& side, const Environment& environment);
  void expect_success(const Side& side, const std::vector<Outcome>& copies) const;
  void expect_same_output(const Side& side, const Outcome& outcome);
  bool repeats_itself() const;
  double figure_of(const Side& side, const Outcome& outcome) const;
  Sample sample(const Side& side);
  bool done() const { return progress() >= 1; }

  Plan plan_;
  Side base_, vicino_;
  std::optional<std::string> output_;  // of the first run
  std::chrono::steady_clock::time_point start_{};
};

}  // namespace vicino::cli
