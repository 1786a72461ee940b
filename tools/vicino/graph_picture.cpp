#include "graph_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/quote.hpp"
#include "files.hpp"
#include "graph_layout.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

// Without aggregates all tasks have one colour. Hues a golden angle apart are far from each other
// however many there are.
std::string colour_of(const GraphWork& work, uint32_t aggregate) {
  if (!work.passes) return "#e4ebf5";
  const double hue = std::fmod(aggregate * 137.508, 360.0) / 60;
  const double light = std::array{0.80, 0.70, 0.88}[aggregate % 3];
  const double strong = 0.6 * (1 - std::abs(2 * light - 1));
  const auto part = [&](double turned) {
    const double ramp = std::clamp(std::abs(std::fmod(hue + turned, 6) - 3) - 1, 0.0, 1.0);
    return static_cast<int>(std::lround(255 * (light + strong * (ramp - 0.5))));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(4), part(2));
}

std::vector<uint32_t> aggregate_of_each(const GraphWork& work) {
  std::vector<uint32_t> aggregate_of(work.graph.size());
  for (uint32_t aggregate = 0; aggregate < work.coarse.tasks.size(); ++aggregate)
    for (const uint32_t task : work.coarse.tasks[aggregate]) aggregate_of[task] = aggregate;
  return aggregate_of;
}

std::string title_of(const GraphWork& work, uint32_t task, uint32_t aggregate) {
  std::string title = fmt::format("task {}", task);
  if (!work.names.empty()) title += ": " + printable(work.names[task]);
  title += fmt::format(", cost {}", work.graph.cost(task));
  if (work.passes) title += fmt::format(", aggregate {}", aggregate);
  if (work.node_count > 0) title += fmt::format(", node {}", work.nodes[aggregate]);
  return title;
}

// In DOT only the quote is escaped; names that were read have no single backslash before one.
std::string in_dot(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string short_label(const std::string& name) {
  constexpr size_t kLongest = 12;
  const std::string shown = printable(name);
  return shown.size() <= kLongest ? shown : shown.substr(0, kLongest - 2) + "..";
}

constexpr const char* kSvgStyle =
    "<style>\n"
    "rect { stroke: #444; }\n"
    "text { font: 11px sans-serif; text-anchor: middle; fill: #111; }\n"
    "path { fill: none; stroke: #777; marker-end: url(#end); }\n"
    "#end path { fill: #777; stroke: none; marker-end: none; }\n"
    "</style>\n"
    "<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\""
    " markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";

// Goes up or down at each point, so it bends smoothly.
std::string path_of(Point from, const std::vector<Point>& bends, Point to) {
  std::string path = fmt::format("M{:.1f} {:.1f}", from.x, from.y);
  std::vector<Point> points = bends;
  points.push_back(to);
  for (const Point& point : points) {
    const double half = (from.y + point.y) / 2;
    path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x, half, point.x, half,
                        point.x, point.y);
    from = point;
  }
  return path;
}

Point box_of(const GraphWork& work) {
  constexpr double kLetter = 7, kPadding = 12, kHeight = 24;
  size_t longest = 2;
  for (uint32_t task = 0; task < work.graph.size(); ++task)
    longest = std::max(longest, short_label(work.name_of(task)).size());
  return {kLetter * static_cast<double>(longest) + kPadding, kHeight};
}

}  // namespace

void expect_small(const GraphWork& work, const std::string& option) {
  if (work.graph.size() <= kMostDrawnTasks && work.graph.edges() <= kMostDrawnEdges) return;
  throw Failure(
      kUsage,
      fmt::format("graph: {}: the graph has {} tasks and {} edges; graphs of up to {} "
                  "tasks and {} edges are drawn",
                  option, work.graph.size(), work.graph.edges(), kMostDrawnTasks, kMostDrawnEdges));
}

std::string graph_as_dot(const GraphWork& work) {
  const std::vector<uint32_t> aggregate_of = aggregate_of_each(work);
  std::string text = fmt::format("digraph {} {{\n  node [shape=box, style=filled];\n",
                                 in_dot(printable(work.input)));
  // All tasks come first, in their order: who reads the file numbers them alike.
  for (uint32_t task = 0; task < work.graph.size(); ++task)
    text += fmt::format("  {} [cost=\"{}\", fillcolor=\"{}\", tooltip={}];\n",
                        in_dot(work.name_of(task)), work.graph.cost(task),
                        colour_of(work, aggregate_of[task]),
                        in_dot(title_of(work, task, aggregate_of[task])));
  for (uint32_t aggregate = 0; work.passes && aggregate < work.coarse.tasks.size(); ++aggregate) {
    text += fmt::format("  subgraph cluster_{0} {{\n    label=\"aggregate {0}\";\n   ", aggregate);
    for (const uint32_t task : work.coarse.tasks[aggregate])
      text += fmt::format(" {};", in_dot(work.name_of(task)));
    text += "\n  }\n";
  }
  for (uint32_t task = 0; task < work.graph.size(); ++task)
    for (const uint32_t next : work.graph.after(task))
      text += fmt::format("  {} -> {};\n", in_dot(work.name_of(task)), in_dot(work.name_of(next)));
  return text + "}\n";
}

std::string graph_as_svg(const GraphWork& work) {
  const Point box = box_of(work);
  const GraphLayout layout = layout_of(work.graph, box);
  const std::vector<uint32_t> aggregate_of = aggregate_of_each(work);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\""
      " viewBox=\"0 0 {0:.0f} {1:.0f}\">\n<title>{2}</title>\n{3}",
      std::ceil(layout.width), std::ceil(layout.height), in_xml(printable(work.input)), kSvgStyle);
  for (const DrawnEdge& edge : layout.edges) {
    const Point from = layout.tasks[edge.from], to = layout.tasks[edge.to];
    text += fmt::format("<path d=\"{}\"/>\n", path_of({from.x, from.y + box.y / 2}, edge.bends,
                                                      {to.x, to.y - box.y / 2}));
  }
  for (uint32_t task = 0; task < work.graph.size(); ++task) {
    const Point at = layout.tasks[task];
    text += fmt::format(
        "<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\""
        " rx=\"4\" fill=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        in_xml(title_of(work, task, aggregate_of[task])), at.x - box.x / 2, at.y - box.y / 2, box.x,
        box.y, colour_of(work, aggregate_of[task]), at.x, at.y + 4,
        in_xml(short_label(work.name_of(task))));
  }
  return text + "</svg>\n";
}

}  // namespace vicino::cli
