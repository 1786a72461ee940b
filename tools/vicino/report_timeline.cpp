#include "report_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <tuple>

#include "diagnosis.hpp"
#include "html.hpp"
#include "report_pictures.hpp"

namespace vicino::cli {
namespace {

// Of all rows together. Rows in which little changes take much less room than others, so both begin with many columns and
// take fewer until they fit; a page stays below two megabytes.
constexpr size_t kMostColumns = 24'000;  // of the picture
constexpr size_t kMostParts = 150'000;   // of the data
constexpr size_t kMostBytes = 700'000;   // of each
constexpr size_t kWidestPicture = 600;

// From below. Idle time is the ground on which the others stand.
constexpr std::array<size_t, 6> kStacked = {
    static_cast<size_t>(Doing::kUseful),     static_cast<size_t>(Doing::kSerial),
    static_cast<size_t>(Doing::kScheduling), static_cast<size_t>(Doing::kLock),
    static_cast<size_t>(Doing::kPolling),    static_cast<size_t>(Doing::kAsleep)};
constexpr size_t kMostHighRows = 32;

uint64_t sum_of(const Doings& ns) { return std::accumulate(ns.begin(), ns.end(), uint64_t{0}); }

// The length of a part of the rows: that of one in which a thread was there from its beginning to its end.
uint64_t part_length(const Summary& summary) {
  uint64_t longest = 1;
  for (const TimelineRow& row : summary.timeline)
    for (const Doings& part : row.parts) longest = std::max(longest, sum_of(part));
  return longest;
}

std::vector<Doings> joined(const std::vector<Doings>& parts, size_t so_many) {
  std::vector<Doings> wider((parts.size() + so_many - 1) / so_many);
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t doing = 0; doing < kDoings; ++doing) wider[i / so_many][doing] += parts[i][doing];
  return wider;
}

// A path for each thing that a thread does: rectangles, each as long as nothing changes.
std::string row_picture(const std::vector<Doings>& columns, uint64_t column_ns, uint64_t all_ns) {
  constexpr int kHigh = 16;
  struct Box {
    int low = 0, high = 0;
    bool operator==(const Box&) const = default;
  };
  std::array<std::string, kDoings> paths;
  std::array<Box, kDoings> open{};
  std::array<size_t, kDoings> since{};
  const auto close = [&](size_t doing, size_t at) {
    const Box& box = open[doing];
    if (box.high > box.low)
      paths[doing] += fmt::format("M{} {}h{}v{}h-{}z", since[doing], kHigh - box.high,
                                  at - since[doing], box.high - box.low, at - since[doing]);
  };
  for (size_t at = 0; at < columns.size(); ++at) {
    uint64_t below = 0;
    const auto height = [&] {
      return static_cast<int>(std::lround(kHigh * static_cast<double>(std::min(below, column_ns)) /
                                          static_cast<double>(column_ns)));
    };
    for (const size_t doing : kStacked) {
      const int low = height();
      below += columns[at][doing];
      const Box box{low, height()};
      if (box == open[doing]) continue;
      close(doing, at);
      open[doing] = box;
      since[doing] = at;
    }
  }
  std::string content;
  for (const size_t doing : kStacked) {
    close(doing, columns.size());
    if (!paths[doing].empty())
      content += fmt::format("<path class=\"{}\" d=\"{}\"/>", doing_style(doing), paths[doing]);
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {:.3f} {}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg>",
      std::max(static_cast<double>(all_ns) / static_cast<double>(column_ns), 1e-3), kHigh, content);
}

// A part is letters: small ones, each with a digit that says how many 64ths of the part are spent so, and a capital one for the
// rest; H is no thread. A number behind it says how many such parts follow one another. page.js reads it.
std::string row_data(const std::vector<Doings>& parts, uint64_t part_ns) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto letters = [&](const Doings& part) {
    std::array<uint64_t, kDoings + 1> with_rest{};
    std::ranges::copy(part, with_rest.begin());
    with_rest[kDoings] = part_ns - std::min(part_ns, sum_of(part));
    const auto largest =
        static_cast<size_t>(std::ranges::max_element(with_rest) - with_rest.begin());
    std::string text;
    for (size_t doing = 0; doing < with_rest.size(); ++doing) {
      const auto share = static_cast<size_t>(
          std::lround(64 * static_cast<double>(with_rest[doing]) / static_cast<double>(part_ns)));
      if (doing == largest || share == 0) continue;
      text += static_cast<char>('a' + doing);
      text += kDigits[std::min(share, kDigits.size() - 1)];
    }
    return text + static_cast<char>('A' + largest);
  };
  std::string text, last;
  size_t times = 0;
  const auto close = [&] {
    text += last;
    if (times > 1) text += std::to_string(times);
  };
  for (const Doings& part : parts) {
    std::string its = letters(part);
    if (its != last) {
      close();
      last = std::move(its);
      times = 0;
    }
    ++times;
  }
  close();
  return text;
}

std::string row_label(const TracedThread& thread) {
  const auto all = static_cast<double>(std::max<uint64_t>(sum_of(thread.ns), 1));
  std::string label = thread.name + ":";
  std::array<size_t, kDoings> doings;
  std::iota(doings.begin(), doings.end(), size_t{0});
  std::ranges::sort(doings, std::greater(), [&](size_t doing) { return thread.ns[doing]; });
  for (size_t i = 0; i < 3; ++i)
    if (const double share = static_cast<double>(thread.ns[doings[i]]) / all; share >= 0.005)
      label += fmt::format("{} {} {}", i == 0 ? "" : ",", percent(share), kDoingNames[doings[i]]);
  return label;
}

// Numbers in names count as numbers: 10 comes after 9.
bool comes_before(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view text) {
    return static_cast<size_t>(
        std::ranges::find_if_not(text, [](unsigned char c) { return std::isdigit(c) != 0; }) -
        text.begin());
  };
  while (!a.empty() && !b.empty()) {
    const size_t in_a = digits(a), in_b = digits(b);
    if (in_a > 0 && in_b > 0) {
      const std::string_view number_a = a.substr(0, in_a), number_b = b.substr(0, in_b);
      if (number_a != number_b) return std::tuple(in_a, number_a) < std::tuple(in_b, number_b);
      a.remove_prefix(in_a);
      b.remove_prefix(in_b);
    } else {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

// Whole steps of 1, 2 or 5 times a power of ten: some five of them.
std::string axis(double ns) {
  const double about = std::max(ns, 1.0) / 5, power = std::pow(10, std::floor(std::log10(about)));
  const double step = power * (about / power >= 5 ? 5 : about / power >= 2 ? 2 : 1);
  std::string ticks;
  for (double at = 0; at <= ns * 0.97; at += step)
    ticks += fmt::format("<span style=\"left:{:.2f}%\">{}</span>", 100 * at / std::max(ns, 1.0),
                         at == 0 ? "0" : time_in_words(at));
  return "<div class=\"axis\" aria-hidden=\"true\"><div class=\"ticks\">" + ticks +
         "</div></div>\n";
}

// Calls `make` for each row with fewer and fewer, longer parts, until the texts are small enough.
// `so_many`: how many parts of the summary have become one.
template <typename Make>
std::vector<std::string> fitting(const Summary& summary, std::span<const size_t> order, size_t most,
                                 size_t widest, const Make& make) {
  const size_t parts = summary.timeline[order[0]].parts.size();
  for (size_t each = std::clamp<size_t>(most / order.size(), 1, widest);; each /= 2) {
    const size_t so_many = std::max<size_t>((parts + each - 1) / each, 1);
    std::vector<std::string> texts;
    size_t bytes = 0;
    for (const size_t thread : order) {
      texts.push_back(make(joined(summary.timeline[thread].parts, so_many), so_many));
      bytes += texts.back().size();
    }
    if (bytes <= kMostBytes || each == 1) return texts;
  }
}

}  // namespace

std::vector<ThreadGroup> groups_of(const Summary& summary) {
  std::vector<size_t> order(summary.threads.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t one, size_t other) {
    const TracedThread &a = summary.threads[one], &b = summary.threads[other];
    if (a.package != b.package) return comes_before(a.package, b.package);
    if (a.node != b.node) return comes_before(a.node, b.node);
    return comes_before(a.name, b.name);
  });
  std::vector<ThreadGroup> groups;
  for (const size_t thread : order) {
    const TracedThread& its = summary.threads[thread];
    if (groups.empty() || groups.back().node != its.node || groups.back().package != its.package)
      groups.push_back({its.package, its.node, {}});
    groups.back().threads.push_back(thread);
  }
  return groups;
}

std::vector<size_t> in_order(std::span<const ThreadGroup> groups) {
  std::vector<size_t> order;
  for (const ThreadGroup& group : groups)
    order.insert(order.end(), group.threads.begin(), group.threads.end());
  return order;
}

std::string short_name(const TracedThread& thread) {
  const size_t open = thread.name.find(" ("), close = thread.name.find(')', open);
  if (open == std::string::npos || close == std::string::npos) return thread.name;
  return thread.name.substr(0, open) + thread.name.substr(close + 1);
}

std::string timeline(const Summary& summary, std::span<const ThreadGroup> groups) {
  std::vector<size_t> order = in_order(groups);
  if (order.size() > kMostRows) order.resize(kMostRows);
  if (order.empty() || summary.timeline[order[0]].parts.empty()) return {};
  const uint64_t part_ns = part_length(summary), all_ns = summary.end - summary.begin;
  const auto pictures = fitting(summary, order, kMostColumns, kWidestPicture,
                                [&](const auto& columns, size_t so_many) {
                                  return row_picture(columns, part_ns * so_many, all_ns);
                                });
  uint64_t data_ns = part_ns;
  const auto data = fitting(summary, order, kMostParts, 2 * kTimelineParts,
                            [&](const auto& parts, size_t so_many) {
                              data_ns = part_ns * so_many;
                              return row_data(parts, data_ns);
                            });

  std::string rows;
  size_t at = 0;
  for (const ThreadGroup& group : groups) {
    if (at == order.size()) break;
    if (!group.node.empty())
      rows += fmt::format("<p class=\"group\">{}{}</p>\n",
                          in_html(group.package.empty() ? "" : group.package + ", "),
                          in_html(group.node));
    for (size_t i = 0; i < group.threads.size() && at < order.size(); ++i, ++at) {
      const TracedThread& thread = summary.threads[order[at]];
      rows += fmt::format(
          "<div class=\"row\"><span class=\"name\" title=\"{}\">{}</span>"
          "<div class=\"plot\" role=\"img\" aria-label=\"{}\">{}</div></div>\n",
          in_html(thread.name), in_html(short_name(thread)), in_html(row_label(thread)),
          pictures[at]);
    }
  }
  std::string names;
  for (const std::string_view name : kDoingNames) names += fmt::format("\"{}\",", name);
  return fmt::format(
      "<div id=\"timeline\"{} role=\"group\" aria-label=\"Timeline\">\n"
      "<div class=\"tools\" hidden>"
      "<button type=\"button\" data-do=\"in\" aria-label=\"Zoom in\">+</button>"
      "<button type=\"button\" data-do=\"out\" aria-label=\"Zoom out\">&#8722;</button>"
      "<button type=\"button\" data-do=\"left\" aria-label=\"Earlier\">&#8592;</button>"
      "<button type=\"button\" data-do=\"right\" aria-label=\"Later\">&#8594;</button>"
      "<button type=\"button\" data-do=\"all\">All</button>"
      "<span class=\"says\" role=\"status\"></span></div>\n"
      "<div class=\"rows\">\n{}{}</div>\n</div>\n"
      "<script type=\"application/json\" id=\"timeline-data\">\n"
      "{{\"part\":{},\"length\":{},\"names\":[{}\"not there\"],\"stacked\":[{}],"
      "\"rows\":[\n\"{}\"]}}\n</script>\n",
      order.size() > kMostHighRows ? " class=\"many\"" : "", rows,
      axis(static_cast<double>(all_ns)), data_ns, all_ns, names, fmt::join(kStacked, ","),
      fmt::join(data, "\",\n\""));
}

}  // namespace vicino::cli
