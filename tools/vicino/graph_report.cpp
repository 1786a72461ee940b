#include "graph_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "files.hpp"
#include "graph/shape.hpp"

namespace vicino::cli {
namespace {

using Json = nlohmann::ordered_json;

graph::Division division_of(const GraphWork& work) {
  graph::Division division = graph::division_of(work.graph, work.coarse.tasks, work.nodes);
  division.nodes.resize(work.node_count);  // also nodes that have no aggregate
  return division;
}

// A cost, or a mean: whole if it is.
std::string number(double value) { return fmt::format("{:.8g}", value); }

std::string title_of(const GraphWork& work) {
  std::string title = work.input;
  if (work.fill) title += fmt::format(", ILU({}), order {}", *work.fill, work.order);
  if (work.transposed) title += ", transposed";
  if (work.passes) title += ", coarsened by " + (work.passes->empty() ? "no pass" : *work.passes);
  return title + "\n";
}

// One row of the table: of the tasks, and of the aggregates if there are some.
class ShapeTable {
 public:
  explicit ShapeTable(const GraphWork& work) : tasks_(shape_of(work.graph)) {
    if (work.passes) aggregates_ = graph::shape_of(work.coarse.graph);
    text_ = fmt::format("{:16}{:>14}", "", "tasks");
    if (work.passes) text_ += fmt::format("{:>14}", "aggregates");
    text_ += "\n";
  }

  std::string text() {
    using graph::Shape;
    row("number", [](const Shape& s) { return std::to_string(s.tasks); });
    row("edges", [](const Shape& s) { return std::to_string(s.edges); });
    row("depth", [](const Shape& s) { return std::to_string(s.depth); });
    row("widest level", [](const Shape& s) { return std::to_string(s.widest); });
    row("cost", [](const Shape& s) { return number(s.cost); });
    row("critical path", [](const Shape& s) { return number(s.critical_path); });
    row("parallelism", [](const Shape& s) { return fmt::format("{:.1f}", s.parallelism()); });
    return std::move(text_);
  }

 private:
  template <class Cell>
  void row(std::string_view name, Cell cell) {
    text_ += fmt::format("{:16}{:>14}", name, cell(tasks_));
    if (aggregates_) text_ += fmt::format("{:>14}", cell(*aggregates_));
    text_ += "\n";
  }

  graph::Shape tasks_;
  std::optional<graph::Shape> aggregates_;
  std::string text_;
};

std::string spread_row(std::string_view name, const graph::Spread& spread) {
  return fmt::format("{:16}{:>14}{:>14}{:>14}{:>14}\n", name, number(spread.least),
                     number(spread.median), fmt::format("{:.1f}", spread.mean),
                     number(spread.largest));
}

std::string sizes_text(const GraphWork& work) {
  const graph::Sizes sizes = graph::sizes_of(work.coarse);
  const std::string heading = "an aggregate's";
  return fmt::format("\n{:16}{:>14}{:>14}{:>14}{:>14}\n", heading, "least", "median", "mean",
                     "largest") +
         spread_row("tasks", sizes.tasks) + spread_row("cost", sizes.cost);
}

std::string nodes_text(const GraphWork& work) {
  const graph::Division division = division_of(work);
  std::string text = fmt::format("\n{:16}{:>14}{:>14}\n", "node", "tasks", "cost");
  for (size_t node = 0; node < division.nodes.size(); ++node)
    text += fmt::format("{:<16}{:>14}{:>14}\n", node, division.nodes[node].tasks,
                        number(division.nodes[node].cost));
  const double share =
      work.graph.edges() == 0 ? 0 : 100.0 * division.cut / static_cast<double>(work.graph.edges());
  return text + fmt::format("{:16}{:>14}{:>14}\n", "cut edges", division.cut,
                            fmt::format("{:.1f} %", share));
}

void add_shape(Json& json, const graph::Shape& shape) {
  json["edges"] = shape.edges;
  json["depth"] = shape.depth;
  json["widest_level"] = shape.widest;
  json["cost"] = shape.cost;
  json["critical_path"] = shape.critical_path;
  json["parallelism"] = shape.parallelism();
}

Json spread_json(const graph::Spread& spread) {
  return {{"least", spread.least},
          {"median", spread.median},
          {"mean", spread.mean},
          {"largest", spread.largest}};
}

Json coarse_json(const GraphWork& work) {
  const graph::Sizes sizes = graph::sizes_of(work.coarse);
  Json json = {{"string", *work.passes}, {"aggregates", work.coarse.graph.size()}};
  add_shape(json, graph::shape_of(work.coarse.graph));
  json["tasks_of_aggregate"] = spread_json(sizes.tasks);
  json["cost_of_aggregate"] = spread_json(sizes.cost);
  return json;
}

Json nodes_json(const graph::Division& division) {
  Json nodes = Json::array();
  for (const graph::Share& share : division.nodes)
    nodes.push_back({{"tasks", share.tasks}, {"cost", share.cost}});
  return nodes;
}

}  // namespace

std::string graph_as_text(const GraphWork& work) {
  std::string text = title_of(work) + ShapeTable(work).text();
  if (work.passes) text += sizes_text(work);
  if (work.node_count > 0) text += nodes_text(work);
  return text;
}

std::string graph_as_json(const GraphWork& work) {
  Json json = {{"schema", "vicino-graph-1"}, {"input", work.input}};
  if (work.fill) {
    json["ilu"] = *work.fill;
    json["order"] = work.order;
  }
  json["transposed"] = work.transposed;
  json["tasks"] = work.graph.size();
  add_shape(json, graph::shape_of(work.graph));
  if (work.passes) json["coarse"] = coarse_json(work);
  if (work.node_count > 0) {
    const graph::Division division = division_of(work);
    json["nodes"] = nodes_json(division);
    json["cut_edges"] = division.cut;
  }
  return json_text(json, 2);
}

}  // namespace vicino::cli
