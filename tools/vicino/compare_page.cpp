#include "compare_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "machine_facts.hpp"
#include "say.hpp"
#include "stats.hpp"
#include "verdict.hpp"

namespace vicino::cli {
namespace {

constexpr double kWide = 860, kLeft = 70, kRight = 20;

// Four digits, as many as people can tell apart in a plot.
std::string number(double value) { return fmt::format("{:.4g}", value); }

// Values on a line from `low` to `high`, which become places on the picture from `from` to `to`.
struct Axis {
  double low, high, from, to;
  bool is_logarithmic;

  double place(double value) const {
    const auto at = [this](double v) { return is_logarithmic ? std::log(v) : v; };
    return from + (to - from) * (at(value) - at(low)) / (at(high) - at(low));
  }
  // Round values: some five of them; on a logarithmic axis 1, 2 and 5 times powers of ten if there are enough.
  std::vector<double> ticks() const {
    std::vector<double> values;
    if (is_logarithmic && high / low > 5) {
      for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
        for (const double times : {1, 2, 5})
          if (power * times >= low && power * times <= high) values.push_back(power * times);
      return values;
    }
    const double about = (high - low) / 5, power = std::pow(10, std::floor(std::log10(about)));
    const double step = power * (about / power > 5   ? 10
                                 : about / power > 2 ? 5
                                 : about / power > 1 ? 2
                                                     : 1);
    for (auto i = static_cast<long>(std::ceil(low / step)); static_cast<double>(i) * step <= high;
         ++i)
      values.push_back(static_cast<double>(i) * step);
    return values;
  }
};

std::vector<double> figures(const Side& side, size_t pairs) {
  std::vector<double> values;
  for (size_t i = 0; i < pairs; ++i) values.push_back(side.samples[i].figure());
  return values;
}

std::string picture(double high, std::string_view label, std::string_view content) {
  const std::string svg = fmt::format(
      "<svg class=\"plotted\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>\n",
      kWide, high, in_html(label), content);
  return scrolling("Plot", svg);
}

// Each pair's ratio, in the order in which they ran: a drift would show.
std::string ratios_picture(const std::vector<double>& ratios, const Verdict& verdict) {
  const auto [least, most] = std::ranges::minmax(ratios);
  const double low = std::min(least, 1.0), high = std::max(most, 1.0);
  const double margin = std::max(std::pow(high / low, 0.08), 1.001);
  constexpr double kHigh = 260;
  const Axis up{.low = low / margin,
                .high = high * margin,
                .from = kHigh - 34,
                .to = 10,
                .is_logarithmic = true};
  const Axis along{.low = 0.5,
                   .high = static_cast<double>(ratios.size()) + 0.5,
                   .from = kLeft,
                   .to = kWide - kRight,
                   .is_logarithmic = false};
  std::string content;
  for (const double tick : up.ticks())
    content += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>",
        kLeft, up.place(tick), kWide - kRight, kLeft - 8, up.place(tick) + 4, number(tick));
  if (const auto& interval = verdict.estimate.interval)
    content += fmt::format(
        "<rect class=\"interval\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"/>", kLeft,
        up.place(interval->high), kWide - kRight - kLeft,
        std::max(up.place(interval->low) - up.place(interval->high), 1.0));
  content += fmt::format("<path class=\"one\" d=\"M{0} {1:.1f}H{2}\"/>", kLeft, up.place(1),
                         kWide - kRight);
  content += fmt::format("<path class=\"estimate\" d=\"M{0} {1:.1f}H{2}\"/>", kLeft,
                         up.place(verdict.estimate.ratio), kWide - kRight);
  for (size_t i = 0; i < ratios.size(); ++i)
    content += fmt::format(
        "<circle class=\"d2\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>Pair {}: "
        "{}</title></circle>",
        along.place(static_cast<double>(i + 1)), up.place(ratios[i]), i + 1, number(ratios[i]));
  content += fmt::format(
      "<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">pairs, in the order in which they "
      "ran</text>",
      (kLeft + kWide - kRight) / 2, kHigh - 8);
  return picture(kHigh,
                 fmt::format("The ratio of each of {}: from {} to {}; the estimate is {}",
                             several(static_cast<int>(ratios.size()), "pair"), number(least),
                             number(most), number(verdict.estimate.ratio)),
                 content);
}

// The figures of both sides, each a row of points over its quartiles.
std::string figures_picture(const Measurement& measurement, std::string_view what) {
  const size_t pairs = measurement.pairs();
  double low = HUGE_VAL, high = 0;
  for (const Side* side : {&measurement.base(), &measurement.vicino()}) {
    const auto [least, most] = std::ranges::minmax(figures(*side, pairs));
    low = std::min(low, least);
    high = std::max(high, most);
  }
  const double margin = std::max((high - low) * 0.05, high * 0.001);
  constexpr double kRow = 56, kFoot = 40, kNames = 120;
  const Axis along{.low = std::max(low - margin, 0.0),
                   .high = high + margin,
                   .from = kNames,
                   .to = kWide - kRight,
                   .is_logarithmic = false};
  std::string content, label = std::string(what) + ".";
  for (const double tick : along.ticks())
    content += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} 0V{1}\"/><text x=\"{0:.1f}\" y=\"{2}\" "
        "text-anchor=\"middle\">{3}</text>",
        along.place(tick), 2 * kRow, 2 * kRow + 16, number(tick));
  double top = 0;
  for (const Side* side : {&measurement.base(), &measurement.vicino()}) {
    const std::vector<double> values = figures(*side, pairs);
    const Spread spread = spread_of(values);
    const double middle = top + kRow / 2;
    content += fmt::format(
        "<rect class=\"quartiles\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"28\"/>"
        "<path class=\"median\" d=\"M{:.1f} {}v28\"/><text x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\">{}</text>",
        along.place(spread.lower), middle - 14,
        std::max(along.place(spread.upper) - along.place(spread.lower), 1.0),
        along.place(spread.median), middle - 14, kNames - 12, middle + 5, in_html(side->name));
    // Points beside one another, so that equal ones are seen.
    for (size_t i = 0; i < values.size(); ++i)
      content += fmt::format(
          "<circle class=\"d2\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill-opacity=\"0.7\">"
          "<title>Pair {}: {}</title></circle>",
          along.place(values[i]), middle + (static_cast<double>(i % 5) - 2) * 4.5, i + 1,
          number(values[i]));
    label += fmt::format(" {}: median {}, quartiles {} and {}.", side->name, number(spread.median),
                         number(spread.lower), number(spread.upper));
    top += kRow;
  }
  content += fmt::format("<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                         (kNames + kWide - kRight) / 2, 2 * kRow + kFoot - 6, in_html(what));
  return picture(2 * kRow + kFoot, label, content);
}

std::string sides_table(const Measurement& measurement, std::string_view what) {
  std::string rows;
  for (const Side* side : {&measurement.base(), &measurement.vicino()}) {
    const Spread spread = spread_of(figures(*side, measurement.pairs()));
    std::vector<double> cpu;
    for (size_t i = 0; i < measurement.pairs(); ++i)
      cpu.push_back(side->samples[i].user + side->samples[i].system);
    std::string runtimes;
    for (const std::string& one : side->runtimes)
      runtimes += fmt::format("<code>{}</code> ", in_html(one));
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{} to "
        "{}</td>"
        "<td class=\"number\">{}</td><td>{}</td></tr>\n",
        in_html(side->name), number(spread.median), number(spread.lower), number(spread.upper),
        number(spread_of(cpu).median), runtimes);
  }
  return scrolling(
      "Both sides",
      fmt::format("<table>\n<caption>Both sides: {}</caption>\n<thead><tr><th scope=\"col\">On</th>"
                  "<th scope=\"col\" class=\"number\">Median</th><th scope=\"col\" "
                  "class=\"number\">Quartiles</th>"
                  "<th scope=\"col\" class=\"number\">CPU time, s</th><th "
                  "scope=\"col\">Runtime</th></tr></thead>\n"
                  "<tbody>\n{}</tbody></table>",
                  in_html(what), rows));
}

std::string figure_words(const Plan& plan) {
  if (!plan.metric)
    return plan.at_once > 1 ? "time until the last copy has ended, in s" : "time, in s";
  return plan.higher_is_better ? "the program's own figure; higher is better"
                               : "the program's own figure; lower is better";
}

}  // namespace

std::string compare_page(const Measurement& measurement) {
  const Plan& plan = measurement.plan();
  const std::vector<double> ratios = measurement.ratios();
  const Verdict verdict = judge(ratios);
  const std::string what = figure_words(plan);
  std::string command;
  for (const std::string& word : plan.program) command += (command.empty() ? "" : " ") + word;
  const std::string name =
      plan.program.empty() ? "a program" : std::filesystem::path(plan.program[0]).filename();
  std::string body = fmt::format(
      "<header>\n<p class=\"kind\">Vicino comparison</p>\n<h1>{}</h1>\n<ul "
      "class=\"facts\"><li><code>{}</code></li>"
      "<li>{}, seed {}</li>{}<li>{}</li></ul>\n</header>\n<main>\n<section class=\"verdict\" "
      "aria-label=\"Verdict\">\n<p>{}</p>\n</section>\n",
      in_html(name), in_html(command), several(static_cast<int>(measurement.pairs()), "pair"),
      plan.seed, plan.at_once > 1 ? fmt::format("<li>{} copies at once</li>", plan.at_once) : "",
      in_html(machine_line()), in_html(sentence(verdict, !plan.metric, measurement.pairs())));
  if (!ratios.empty()) {
    body +=
        "<section aria-labelledby=\"ratios\">\n<h2 id=\"ratios\">Pairs</h2>\n<p class=\"note\">How "
        "many times better Vicino "
        "was in each pair of runs; above 1, the dashed line, Vicino is better. The full line is "
        "the estimate" +
        std::string(verdict.estimate.interval ? ", the band its 95 % interval" : "") + ".</p>\n" +
        ratios_picture(ratios, verdict) + "</section>\n";
    body +=
        "<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Runs</h2>\n<p class=\"note\">A point "
        "is a run, a box reaches from "
        "quartile to quartile, and the line in it is the median.</p>\n" +
        figures_picture(measurement, what) + sides_table(measurement, what) + "</section>\n";
  }
  return html_page("Vicino comparison: " + name, body + "</main>\n");
}

}  // namespace vicino::cli
