#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/version.hpp"
#include "verdict.hpp"

namespace vicino::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kNoRuntime = "line: ";  // the row of a control that calls no runtime

constexpr double kClearlyBehind = 0.9;  // of Vicino's speed, with too few rounds for an interval

struct Comparison {
  const BenchRow* row;
  size_t peer;
  Verdict verdict;
  size_t rounds;
};

std::vector<Comparison> comparisons_of(const BenchMeasurement& measurement, const BenchRow& row) {
  std::vector<Comparison> all;
  if (row.label.starts_with(kNoRuntime)) return all;
  for (size_t peer = 1; peer < measurement.sides().size(); ++peer)
    if (const auto ratios = row.ratios(peer, 0); !ratios.empty())
      all.push_back({.row = &row, .peer = peer, .verdict = judge(ratios), .rounds = ratios.size()});
  return all;
}

std::vector<Comparison> all_comparisons(const BenchMeasurement& measurement) {
  std::vector<Comparison> all;
  for (const BenchRow& row : measurement.rows())
    for (Comparison& each : comparisons_of(measurement, row)) all.push_back(std::move(each));
  return all;
}

// At least three digits of a number that is not small.
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string time_text(double ns) {
  constexpr std::pair<double, const char*> kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
  for (const auto& [scale, unit] : kUnits)
    if (ns >= scale) return fmt::format("{} {}", three_digits(ns / scale), unit);
  return fmt::format("{} ns", three_digits(ns));
}

std::string ratio_text(const Verdict& verdict) {
  const auto& [ratio, interval] = verdict.estimate;
  if (!interval) return three_digits(ratio);
  return fmt::format("{} ({} to {})", three_digits(ratio), three_digits(interval->low),
                     three_digits(interval->high));
}

std::string programs_of(Abi abi) { return fmt::format("programs of {}", name_of(abi)); }

// What all comparisons of a section with one runtime come to.
struct Mean {
  double mean;  // geometric
  const Comparison* least;
  size_t count;
};

std::optional<Mean> mean_of(std::span<const Comparison> all, std::string_view section,
                            size_t peer) {
  Mean found{.mean = 0, .least = nullptr, .count = 0};
  for (const Comparison& each : all) {
    if (each.row->section != section || each.peer != peer) continue;
    const double ratio = each.verdict.estimate.ratio;
    found.mean += std::log(ratio);
    ++found.count;
    if (found.least == nullptr || ratio < found.least->verdict.estimate.ratio) found.least = &each;
  }
  if (found.count == 0) return std::nullopt;
  found.mean = std::exp(found.mean / static_cast<double>(found.count));
  return found;
}

// A text in a cell of a table.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

// A construct without what its operation is.
std::string short_label(const std::string& label) { return label.substr(0, label.find(": ")); }

// A text without the user's name in its paths.
std::string shown(std::string text, const Environment& environment) {
  const std::string home = std::string(environment.get("HOME").value_or("")) + "/";
  if (home.size() < 3) return text;
  for (size_t at = 0; (at = text.find(home, at)) != text.npos; ++at)
    text.replace(at, home.size(), "~/");
  return text;
}

std::string means(const BenchMeasurement& measurement) {
  const std::vector<Comparison> all = all_comparisons(measurement);
  std::string head = "| times as fast as |", line = "| --- |", rows;
  for (size_t peer = 1; peer < measurement.sides().size(); ++peer) {
    head += fmt::format(" {} |", cell(measurement.sides()[peer]->runtime.name));
    line += " --: |";
  }
  for (const BenchSection& section : bench_sections()) {
    std::string row = fmt::format("| {} |", section.title);
    bool any = false;
    for (size_t peer = 1; peer < measurement.sides().size(); ++peer) {
      const auto mean = mean_of(all, section.key, peer);
      any |= mean.has_value();
      row += mean ? fmt::format(" {}; {} ({}) |", three_digits(mean->mean),
                                three_digits(mean->least->verdict.estimate.ratio),
                                cell(short_label(mean->least->row->label)))
                  : " |";
    }
    if (any) rows += row + "\n";
  }
  if (rows.empty()) return "";
  return fmt::format(
      "The geometric mean over a section, and the least with its row:\n\n{}\n{}\n{}\n", head, line,
      rows);
}

// "fib 24, programs of gcc: 1.31 (1.22 to 1.40) times as long as on libgomp"
std::string lost_line(const BenchMeasurement& measurement, const Comparison& each) {
  const auto& [ratio, interval] = each.verdict.estimate;
  Verdict turned{.finding = each.verdict.finding, .estimate = {.ratio = 1 / ratio, .interval = {}}};
  if (interval) turned.estimate.interval = Interval{1 / interval->high, 1 / interval->low};
  return fmt::format("- {}, {}: {} times as long as on {}", each.row->label,
                     programs_of(each.row->abi), ratio_text(turned),
                     measurement.sides()[each.peer]->runtime.name);
}

std::string lost(const BenchMeasurement& measurement) {
  std::vector<Comparison> worse, unsure;
  size_t judged = 0;
  for (Comparison& each : all_comparisons(measurement)) {
    judged += each.verdict.finding != Finding::kTooFew;
    if (each.verdict.finding == Finding::kWorse)
      worse.push_back(std::move(each));
    else if (each.verdict.finding == Finding::kTooFew &&
             each.verdict.estimate.ratio < kClearlyBehind)
      unsure.push_back(std::move(each));
  }
  const auto ratio_of = [](const Comparison& each) { return each.verdict.estimate.ratio; };
  std::ranges::sort(worse, {}, ratio_of);
  std::ranges::sort(unsure, {}, ratio_of);
  std::string text = "## Where Vicino lost\n\n";
  for (const BenchFault& fault : measurement.faults())
    if (fault.is_vicino)
      text += fmt::format("- **Vicino failed**: {}, {}: {}\n", fault.job, programs_of(fault.abi),
                          shown(fault.why, measurement.plan().environment));
  for (const Comparison& each : worse) text += lost_line(measurement, each) + "\n";
  text += fmt::format(
      "{}Vicino was slower, by the whole interval, in {} of {} comparisons. If there were no "
      "difference at all, about {:.0f} of so many would be here by chance.\n\n",
      text.ends_with("lost\n\n") ? "" : "\n", worse.size(), judged,
      std::ceil(0.025 * static_cast<double>(judged)));
  if (!unsure.empty()) {
    text +=
        fmt::format("Vicino was behind in fewer than {} rounds, which is too few to be sure:\n\n",
                    kFewestPairs);
    for (const Comparison& each : unsure)
      text += fmt::format("{} in {} round{}\n", lost_line(measurement, each), each.rounds,
                          each.rounds == 1 ? "" : "s");
    text += "\n";
  }
  return text;
}

std::string table_of(const BenchMeasurement& measurement, std::string_view section, Abi abi) {
  std::vector<size_t> shown_sides;
  for (size_t i = 0; i < measurement.sides().size(); ++i)
    for (const BenchRow& row : measurement.rows())
      if (row.section == section && row.abi == abi && !row.of(i).empty()) {
        shown_sides.push_back(i);
        break;
      }
  if (shown_sides.empty()) return "";
  std::string head = "| median |", line = "| --- |";
  for (const size_t side : shown_sides) {
    head += fmt::format(" {} |", cell(measurement.sides()[side]->runtime.name));
    line += " --: |";
  }
  for (const size_t side : shown_sides)
    if (side != 0) {
      head += fmt::format(" {} / Vicino |", cell(measurement.sides()[side]->runtime.name));
      line += " --: |";
    }
  std::string rows;
  for (const BenchRow& row : measurement.rows()) {
    if (row.section != section || row.abi != abi) continue;
    rows += fmt::format("| {} |", cell(row.label));
    for (const size_t side : shown_sides) {
      const auto known = row.of(side);
      rows += known.empty() ? " |" : fmt::format(" {} |", time_text(spread_of(known).median));
    }
    const auto compared = comparisons_of(measurement, row);
    for (const size_t side : shown_sides) {
      if (side == 0) continue;
      const auto found = std::ranges::find(compared, side, &Comparison::peer);
      rows += found == compared.end() ? " |" : fmt::format(" {} |", ratio_text(found->verdict));
    }
    rows += "\n";
  }
  return fmt::format("### {}\n\n{}\n{}\n{}\n",
                     abi == Abi::kGcc ? "Programs of gcc" : "Programs of clang", head, line, rows);
}

std::string sections(const BenchMeasurement& measurement) {
  std::string text;
  for (const BenchSection& section : bench_sections()) {
    std::string tables;
    for (const Abi abi : {Abi::kGcc, Abi::kClang})
      tables += table_of(measurement, section.key, abi);
    if (!tables.empty())
      text += fmt::format("## {}\n\n{}\n\n{}", section.title, section.note, tables);
  }
  return text;
}

std::string runtimes(const BenchMeasurement& measurement) {
  std::string text =
      "## Runtimes\n\n| name | package | file | found in |\n| --- | --- | --- | --- |\n";
  for (const auto& side : measurement.sides())
    text += fmt::format("| {} | {} | {} | {} |\n", cell(side->runtime.name), cell(side->package),
                        cell(shown(side->runtime.file.string(), measurement.plan().environment)),
                        cell(side->runtime.found));
  std::string compilers;
  for (const Abi abi : {Abi::kGcc, Abi::kClang})
    for (const auto& side : measurement.sides())
      if (const std::string& by = side->compilers[static_cast<size_t>(abi)]; !by.empty()) {
        compilers += (compilers.empty() ? "" : "; ") + by;
        break;
      }
  return text + fmt::format("\nThe programs were built by: {}.\n\n", compilers);
}

std::string lists(const BenchMeasurement& measurement) {
  std::string text;
  if (!measurement.faults().empty()) text += "## What did not run\n\n";
  for (const BenchFault& fault : measurement.faults())
    text += fmt::format("- {}, {} on {}: {}\n", fault.job, programs_of(fault.abi), fault.runtime,
                        shown(fault.why, measurement.plan().environment));
  if (!measurement.left_out().empty()) {
    text += fmt::format("{}## Left out\n\nFor these there was no time; `--minutes` gives more:\n\n",
                        text.empty() ? "" : "\n");
    for (const std::string& job : measurement.left_out()) text += fmt::format("- {}\n", job);
  }
  return text;
}

std::string quietness(const BenchFacts& facts) {
  std::string text = fmt::format("{:.1f} % of the CPUs' time was used by other processes",
                                 100 * facts.shares.others);
  if (facts.shares.stolen > 0)
    text += fmt::format(", {:.1f} % was withheld by the hypervisor", 100 * facts.shares.stolen);
  return text;
}

bool is_noisy(const BenchFacts& facts) {
  return facts.shares.others > 0.05 || facts.shares.stolen > 0.05;
}

json verdict_json(const Comparison& each) {
  json result = {{"estimate", each.verdict.estimate.ratio}, {"rounds", each.rounds}};
  if (const auto& interval = each.verdict.estimate.interval)
    result.update({{"low", interval->low}, {"high", interval->high}, {"confidence", kConfidence}});
  result["verdict"] = word_of(each.verdict.finding);
  return result;
}

json means_json(const BenchMeasurement& measurement) {
  const std::vector<Comparison> all = all_comparisons(measurement);
  json result = json::object();
  for (const BenchSection& section : bench_sections())
    for (size_t peer = 1; peer < measurement.sides().size(); ++peer)
      if (const auto mean = mean_of(all, section.key, peer))
        result[std::string(section.key)][measurement.sides()[peer]->runtime.name] = {
            {"geometric_mean", mean->mean},
            {"least", mean->least->verdict.estimate.ratio},
            {"least_in", mean->least->row->label},
            {"comparisons", mean->count}};
  return result;
}

json row_json(const BenchMeasurement& measurement, const BenchRow& row) {
  json result = {{"section", row.section}, {"programs_of", name_of(row.abi)}, {"row", row.label}};
  for (size_t i = 0; i < measurement.sides().size(); ++i) {
    const auto known = row.of(i);
    if (known.empty()) continue;
    const Spread spread = spread_of(known);
    json samples = json::array();
    for (const auto& each : row.ns[i]) samples.push_back(each ? json(*each) : json());
    result["ns"][measurement.sides()[i]->runtime.name] = {{"median", spread.median},
                                                          {"lower_quartile", spread.lower},
                                                          {"upper_quartile", spread.upper},
                                                          {"by_round", samples}};
  }
  for (const Comparison& each : comparisons_of(measurement, row))
    result["over_vicino"][measurement.sides()[each.peer]->runtime.name] = verdict_json(each);
  return result;
}

}  // namespace

BenchCounts bench_counts(const BenchMeasurement& measurement) {
  BenchCounts counts;
  for (const Comparison& each : all_comparisons(measurement)) {
    counts.better += each.verdict.finding == Finding::kBetter;
    counts.same += each.verdict.finding == Finding::kNoDifference;
    counts.worse += each.verdict.finding == Finding::kWorse;
    counts.too_few += each.verdict.finding == Finding::kTooFew;
  }
  return counts;
}

std::string bench_page(const BenchMeasurement& measurement, const BenchFacts& facts) {
  const BenchPlan& plan = measurement.plan();
  const BenchCounts counts = bench_counts(measurement);
  std::string text = fmt::format("# Vicino {} on {}\n\n", version(), facts.machine.front().second);
  text += fmt::format(
      "`vicino bench` wrote this page at {}: {} whole round{} in {:.0f} s, seed {}, {} thread{}. "
      "All runtimes took "
      "turns, in random order. A ratio is the other runtime's time over Vicino's in the same "
      "round: above 1, Vicino "
      "was faster. It has its 95 % interval from {} rounds on (docs/reference/compare.md says how).\n\n",
      facts.date, measurement.rounds(), measurement.rounds() == 1 ? "" : "s",
      measurement.elapsed().count(), plan.seed, plan.threads, plan.threads == 1 ? "" : "s",
      kFewestPairs);
  text += fmt::format(
      "Vicino was faster in {} comparisons and slower in {}; in {} no difference was seen, and {} "
      "had "
      "too few rounds.\n\n",
      counts.better, counts.worse, counts.same, counts.too_few);
  if (facts.interrupted != 0)
    text += fmt::format("**Signal {} ended it early: this is what was known by then.**\n\n",
                        facts.interrupted);
  if (is_noisy(facts))
    text += fmt::format("**The machine was not quiet: {}.**\n\n", quietness(facts));
  text += means(measurement) + lost(measurement);
  text += "## Machine\n\n| | |\n| --- | --- |\n";
  for (const auto& [name, value] : facts.machine)
    text += fmt::format("| {} | {} |\n", name, cell(value));
  text += fmt::format("| meanwhile | {} |\n\n", quietness(facts));
  return text + runtimes(measurement) + sections(measurement) + lists(measurement);
}

json bench_json(const BenchMeasurement& measurement, const BenchFacts& facts) {
  const BenchPlan& plan = measurement.plan();
  const BenchCounts counts = bench_counts(measurement);
  json sides = json::array(), rows = json::array(), faults = json::array();
  for (const auto& side : measurement.sides())
    sides.push_back({{"name", side->runtime.name},
                     {"file", shown(side->runtime.file.string(), plan.environment)},
                     {"found_in", side->runtime.found},
                     {"package", side->package},
                     {"gcc", side->compilers[0]},
                     {"clang", side->compilers[1]}});
  for (const BenchRow& row : measurement.rows()) rows.push_back(row_json(measurement, row));
  for (const BenchFault& fault : measurement.faults())
    faults.push_back({{"section", fault.section},
                      {"job", fault.job},
                      {"programs_of", name_of(fault.abi)},
                      {"runtime", fault.runtime},
                      {"why", shown(fault.why, plan.environment)}});
  return {{"schema", "vicino-bench-1"},
          {"vicino", version()},
          {"date", facts.date},
          {"machine", facts_json(facts.machine)},
          {"others", facts.shares.others},
          {"stolen", facts.shares.stolen},
          {"threads", plan.threads},
          {"seed", plan.seed},
          {"rounds", measurement.rounds()},
          {"seconds", measurement.elapsed().count()},
          {"interrupted", facts.interrupted},
          {"counts",
           {{"better", counts.better},
            {"worse", counts.worse},
            {"no difference", counts.same},
            {"too few pairs", counts.too_few}}},
          {"over_vicino", means_json(measurement)},
          {"runtimes", sides},
          {"rows", rows},
          {"did_not_run", faults},
          {"left_out", measurement.left_out()}};
}

}  // namespace vicino::cli
