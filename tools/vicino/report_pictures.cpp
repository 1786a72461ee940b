#include "report_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnosis.hpp"
#include "html.hpp"

namespace vicino::cli {
namespace {

double logarithm(uint64_t count) { return std::log2(static_cast<double>(count) + 1); }

std::string image(std::string_view style, std::string_view size, std::string_view label,
                  std::string_view content) {
  return fmt::format("<svg class=\"{}\" {} role=\"img\" aria-label=\"{}\">{}</svg>", style, size,
                     in_html(label), content);
}

// The length that a power of two stands for, as a range.
std::string range_of(size_t power) {
  const double high = std::exp2(static_cast<double>(power));
  return fmt::format("{} to {}", time_in_words(power == 0 ? 0 : high / 2), time_in_words(high));
}

}  // namespace

std::string doing_style(size_t doing) { return fmt::format("d{}", doing); }

std::string stacked_bar(std::span<const BarPart> parts, std::string_view label) {
  std::string content;
  double at = 0;
  for (const BarPart& part : parts) {
    const double its = std::clamp(part.share, 0.0, 1.0);
    if (its > 0)
      content += fmt::format(
          "<rect class=\"{}\" x=\"{:.2f}%\" width=\"{:.2f}%\" height=\"100%\"><title>{}: "
          "{}</title></rect>",
          part.style, at * 100, its * 100, in_html(part.name), percent(its));
    at += its;
  }
  return image("bar", "width=\"100%\" height=\"18\"", label, content);
}

std::string legend(std::span<const BarPart> parts, bool with_shares) {
  std::string items;
  for (const BarPart& part : parts)
    items += fmt::format(
        "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"{}\" "
        "width=\"14\" height=\"14\"/></svg>{}{}</li>",
        part.style, in_html(part.name),
        with_shares ? fmt::format(" <b>{}</b>", percent(part.share)) : "");
  return "<ul class=\"legend\">" + items + "</ul>\n";
}

std::string small_bar(double share, std::string_view style) {
  return fmt::format(
      "<svg class=\"small\" width=\"100%\" height=\"5\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100%\" height=\"5\"/>"
      "<rect class=\"{}\" width=\"{:.1f}%\" height=\"5\"/></svg>",
      style, std::clamp(share, 0.0, 1.0) * 100);
}

std::string balance_bars(const std::vector<uint64_t>& by_thread, std::span<const size_t> order) {
  const auto its = [&](size_t thread) {
    return thread < by_thread.size() ? by_thread[thread] : uint64_t{0};
  };
  uint64_t most = 0, least = UINT64_MAX;
  for (const size_t thread : order) {
    most = std::max(most, its(thread));
    least = std::min(least, its(thread));
  }
  if (most == 0) return {};
  constexpr double kHigh = 28;
  const double wide =
      order.size() <= 8 ? 10 : std::max(1.0, 96.0 / static_cast<double>(order.size()));
  std::string d;
  for (size_t i = 0; i < order.size(); ++i) {
    const double high = kHigh * static_cast<double>(its(order[i])) / static_cast<double>(most);
    d += fmt::format("M{:.2f} {:.1f}h{:.2f}v{:.1f}h-{:.2f}z", static_cast<double>(i) * wide,
                     kHigh - high, wide * 0.8, high, wide * 0.8);
  }
  const double width = wide * static_cast<double>(order.size());
  return image(
      "balance",
      fmt::format("width=\"{0:.0f}\" height=\"{1}\" viewBox=\"0 0 {0:.2f} {1}\"", width, kHigh),
      fmt::format("By thread: from {} to {}", time_in_words(static_cast<double>(least)),
                  time_in_words(static_cast<double>(most))),
      fmt::format(
          "<path class=\"track\" d=\"M0 {0}H{1:.2f}v-1H0z\"/><path class=\"d2\" d=\"{2}\"/>", kHigh,
          width, d));
}

std::string histogram(const Lengths& spread) {
  if (spread.count == 0) return {};
  const auto is_filled = [](uint64_t count) { return count > 0; };
  const auto begin = spread.by_power.begin();
  auto first = static_cast<size_t>(std::ranges::find_if(spread.by_power, is_filled) - begin);
  size_t last = first;
  for (size_t i = first; i < spread.by_power.size(); ++i)
    if (spread.by_power[i] > 0) last = i;
  const size_t fullest = static_cast<size_t>(std::ranges::max_element(spread.by_power) - begin);
  constexpr size_t kFewest = 8;  // columns, so that a narrow distribution looks narrow
  while (last - first + 1 < kFewest && last + 1 < spread.by_power.size()) {
    ++last;
    if (first > 1 && last - first + 1 < kFewest) --first;
  }
  constexpr double kHigh = 28, kWide = 7;
  std::string content;
  for (size_t i = first; i <= last; ++i) {
    const uint64_t count = spread.by_power[i];
    if (count == 0) continue;
    const double high =
        std::max(1.5, kHigh * logarithm(count) / logarithm(spread.by_power[fullest]));
    content += fmt::format(
        "<rect class=\"{}\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"><title>{}: "
        "{}</title></rect>",
        i == fullest ? "d2" : "rest", static_cast<double>(i - first) * kWide, kHigh - high,
        kWide - 1, high, range_of(i), with_commas(count));
  }
  const double width = kWide * static_cast<double>(last - first + 1);
  content += fmt::format("<path class=\"track\" d=\"M0 {0}H{1}v-1H0z\"/>", kHigh, width);
  return image("histogram",
               fmt::format("width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"", width, kHigh),
               fmt::format("Most are from {}; the shortest {}, half below {}, the longest {}",
                           range_of(fullest), time_in_words(static_cast<double>(spread.least)),
                           time_in_words(spread.quantile(0.5)),
                           time_in_words(static_cast<double>(spread.most))),
               content) +
         fmt::format("<span class=\"ends\">{} to {}</span>",
                     time_in_words(static_cast<double>(spread.least)),
                     time_in_words(static_cast<double>(spread.most)));
}

std::string steal_squares(const Summary& summary, std::span<const size_t> order) {
  std::vector<size_t> place(summary.threads.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  uint64_t most = 0, all = 0;
  for (const auto& [pair, count] : summary.steals) {
    most = std::max(most, count);
    all += count;
  }
  constexpr size_t kSquare = 10;
  const size_t size = order.size() * kSquare;
  std::string content = fmt::format("<rect class=\"track\" width=\"{0}\" height=\"{0}\"/>", size);
  for (const auto& [pair, count] : summary.steals) {
    const auto [thief, victim] = pair;
    if (thief >= place.size() || victim >= place.size()) continue;
    content += fmt::format(
        "<rect class=\"d2\" x=\"{}\" y=\"{}\" width=\"9\" height=\"9\" fill-opacity=\"{:.2f}\">"
        "<title>{} from {}: {}</title></rect>",
        place[victim] * kSquare, place[thief] * kSquare,
        0.2 + 0.8 * logarithm(count) / logarithm(most), in_html(summary.threads[thief].name),
        in_html(summary.threads[victim].name), with_commas(count));
  }
  return image("squares", fmt::format("viewBox=\"0 0 {0} {0}\"", size),
               fmt::format("Steals by thread: {} altogether, at most {} between two threads",
                           with_commas(all), with_commas(most)),
               content);
}

}  // namespace vicino::cli
