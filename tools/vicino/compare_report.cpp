#include "compare_report.hpp"

#include <cmath>

#include "base/version.hpp"
#include "machine_facts.hpp"
#include "probe.hpp"
#include "say.hpp"
#include "verdict.hpp"

namespace vicino::cli {
namespace {

using json = nlohmann::ordered_json;

std::vector<double> of_samples(const Side& side, size_t count, double (*get)(const Sample&)) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(get(side.samples[i]));
  return values;
}

double figure(const Sample& sample) { return sample.figure(); }
double cpu(const Sample& sample) { return sample.user + sample.system; }

// The decimals that show four digits of `value`, but no more than a clock is good for.
int decimals(double value) {
  const int before = value >= 1 ? static_cast<int>(std::log10(value)) + 1 : 1;
  return std::clamp(4 - before, 0, 4);
}

std::string side_line(const Side& side, size_t pairs, size_t width) {
  const Spread spread = spread_of(of_samples(side, pairs, figure));
  const int digits = decimals(spread.median);
  const std::string quartiles =
      fmt::format("{:.{}f} to {:.{}f}", spread.lower, digits, spread.upper, digits);
  const double cpu_time = spread_of(of_samples(side, pairs, cpu)).median;
  return fmt::format("{:<{}}  {:>10.{}f}  {:>20}  {:>8.{}f}\n", side.name, width, spread.median,
                     digits, quartiles, cpu_time, decimals(cpu_time));
}

std::string order_line(const Measurement& measurement) {
  const Plan& plan = measurement.plan();
  return fmt::format("{} in random order (seed {}), after {} warm-up run{} of each",
                     measurement.pairs(), plan.seed, plan.warmups, plan.warmups == 1 ? "" : "s");
}

std::string_view figure_name(const Plan& plan) {
  if (!plan.metric) return "time, s";
  return plan.higher_is_better ? "figure (+)" : "figure (-)";
}

json side_as_json(const Side& side, size_t pairs) {
  json samples = json::array();
  for (const Sample& sample : side.samples) {
    json one = {{"wall", sample.wall}, {"user", sample.user}, {"system", sample.system}};
    if (sample.metric) one["metric"] = *sample.metric;
    if (sample.walls.size() > 1) one["walls"] = sample.walls;
    samples.push_back(one);
  }
  const Spread spread = spread_of(of_samples(side, pairs, figure));
  return {{"name", side.name},
          {"runtimes", side.runtimes},
          {"median", spread.median},
          {"lower_quartile", spread.lower},
          {"upper_quartile", spread.upper},
          {"samples", samples}};
}

std::string joined(const std::set<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
  return text;
}

}  // namespace

std::string report_text(const Measurement& measurement, const Style& style) {
  const Plan& plan = measurement.plan();
  const Side& base = measurement.base();
  std::string text =
      fmt::format("program  {}\n{:<7}  {}\n", quoted(plan.program), base.forced ? "with" : "own",
                  base.runtimes.empty() ? "not known yet" : joined(base.runtimes));
  text += fmt::format("vicino   {}\nmachine  {}\npairs    {}\n", version(), machine_line(),
                      order_line(measurement));
  if (plan.at_once > 1)
    text += fmt::format("copies   {} at once: {}CPU time of all\n", plan.at_once,
                        plan.metric ? "mean figure, " : "time until the last has ended, ");
  if (plan.metric)
    text += fmt::format("figure   the program's own, {} is better\n",
                        plan.higher_is_better ? "higher" : "lower");

  const Verdict verdict = judge(measurement.ratios());
  if (verdict.finding != Finding::kNothing) {
    const size_t width = std::max(base.name.size(), measurement.vicino().name.size());
    text += fmt::format("\n{}{:<{}}  {:>10}  {:>20}  {:>8}{}\n", style.dim, "", width,
                        figure_name(plan), "quartiles", "CPU, s", style.plain);
    for (const Side* side : {&base, &measurement.vicino()})
      text += side_line(*side, measurement.pairs(), width);
  }
  const std::string_view colour = verdict.finding == Finding::kBetter  ? style.good
                                  : verdict.finding == Finding::kWorse ? style.bad
                                                                       : style.bold;
  text += fmt::format("\n{}{}{}\n", colour, sentence(verdict, !plan.metric, measurement.pairs()),
                      style.plain);
  return text;
}

json as_json(const Measurement& measurement) {
  const Plan& plan = measurement.plan();
  const Verdict verdict = judge(measurement.ratios());
  json ratio = {{"estimate", verdict.estimate.ratio}, {"of_pairs", measurement.ratios()}};
  if (const auto& interval = verdict.estimate.interval)
    ratio.update({{"low", interval->low}, {"high", interval->high}, {"confidence", kConfidence}});
  return {{"schema", "vicino-compare-1"},
          {"vicino", version()},
          {"program", plan.program},
          {"seed", plan.seed},
          {"warmups", plan.warmups},
          {"pairs", measurement.pairs()},
          {"at_once", plan.at_once},
          {"measured", plan.metric ? "metric" : "wall"},
          {"higher_is_better", plan.higher_is_better},
          {"machine", machine_json()},
          {"base", side_as_json(measurement.base(), measurement.pairs())},
          {"candidate", side_as_json(measurement.vicino(), measurement.pairs())},
          {"ratio", ratio},
          {"verdict", word_of(verdict.finding)},
          {"sentence", sentence(verdict, !plan.metric, measurement.pairs())}};
}

}  // namespace vicino::cli
