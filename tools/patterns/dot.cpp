#include "patterns/dot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/decimal.hpp"
#include "base/quote.hpp"
#include "graph/rows.hpp"
#include "patterns/dot_lexer.hpp"
#include "patterns/text.hpp"

namespace vicino::patterns {
namespace {

using graph::Rows;
using Tasks = std::vector<uint32_t>;

struct Edge {
  uint32_t from, to;
  size_t line;
};

// What the file says, before it is known whether that is a task graph.
struct Read {
  bool strict = false;
  std::vector<std::string> names;
  std::vector<float> cost;
  std::vector<Edge> edges;
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : lexer_(text), file_(file) { advance(); }

  Result<Read> run() {
    if (!read_digraph()) return *error_;
    return std::move(read_);
  }

 private:
  static constexpr int kDeepest = 100;  // braces in braces

  void advance() { token_ = lexer_.next(); }

  bool wrong(size_t line, const std::string& text) {
    error_ = wrong_at(file_, line, text);
    return false;
  }

  bool expected(const std::string& what) {
    if (token_.kind == DotToken::kWrong) return wrong(token_.line, token_.text);
    if (token_.kind == DotToken::kLine)
      return wrong(token_.line, "'--' is an edge of an undirected graph; '->' is accepted");
    return wrong(token_.line,
                 "before " +
                     (token_.kind == DotToken::kEnd ? "the end of the file" : quoted(token_.text)) +
                     " there must be " + what);
  }

  bool take(char mark) {
    if (!token_.is(mark)) return false;
    advance();
    return true;
  }

  bool take_keyword(std::string_view keyword) {
    if (!token_.is_keyword(keyword)) return false;
    advance();
    return true;
  }

  // A name may be put together from parts: "a" + "b".
  bool take_name(std::string& name) {
    if (token_.kind != DotToken::kName) return expected("a name");
    name = token_.text;
    bool quoted = token_.quoted;
    for (advance(); quoted && take('+'); advance()) {
      if (token_.kind != DotToken::kName || !token_.quoted) return expected("a name in quotes");
      name += token_.text;
    }
    return true;
  }

  bool read_digraph() {
    read_.strict = take_keyword("strict");
    if (token_.is_keyword("graph"))
      return wrong(token_.line,
                   "a graph without directions is no task graph; 'digraph' is accepted");
    if (!take_keyword("digraph")) return expected("'digraph'");
    std::string name;
    if (token_.kind == DotToken::kName && !take_name(name)) return false;
    Tasks all;
    if (!read_braces(all)) return false;
    return token_.kind == DotToken::kEnd || wrong(token_.line, "text stands behind the digraph");
  }

  // { statements }; `all` gets the tasks that they name. A default holds to the end of the braces.
  bool read_braces(Tasks& all) {
    if (!take('{')) return expected("'{'");
    if (++depth_ > kDeepest)
      return wrong(token_.line,
                   "braces stand in each other more than " + std::to_string(kDeepest) + " deep");
    const float outer = cost_;
    while (!take('}')) {
      if (!read_statement(all)) return false;
      take(';');
    }
    cost_ = outer;
    --depth_;
    return true;
  }

  bool read_statement(Tasks& all) {
    for (const std::string_view keyword : {"graph", "node", "edge"}) {
      if (!take_keyword(keyword)) continue;
      std::optional<float> cost;
      if (!token_.is('[')) return expected("'['");
      if (!read_attributes(cost)) return false;
      if (keyword == "node" && cost) cost_ = *cost;
      return true;
    }
    return read_chain(all);
  }

  // a, a [...], a -> b -> {c d} [...], or name = value.
  bool read_chain(Tasks& all) {
    Tasks from, to;
    bool edges = false;
    if (!read_end(from, true)) return false;
    all.insert(all.end(), from.begin(), from.end());
    for (; token_.kind == DotToken::kArrow; edges = true) {
      const size_t line = token_.line;
      advance();
      to.clear();
      if (!read_end(to, false)) return false;
      for (const uint32_t a : from)
        for (const uint32_t b : to) read_.edges.push_back({a, b, line});
      if (read_.edges.size() >= graph::kMost)
        return wrong(line, "there are too many edges; fewer than " + std::to_string(graph::kMost) +
                               " are accepted");
      all.insert(all.end(), to.begin(), to.end());
      from.swap(to);
    }
    if (token_.kind == DotToken::kLine) return expected("'->'");
    std::optional<float> cost;
    if (!read_attributes(cost)) return false;
    if (!edges && cost)
      for (const uint32_t task : from) read_.cost[task] = *cost;
    return true;
  }

  // One end of an edge: a task, or all tasks of a subgraph. A statement may begin with `name =` instead.
  bool read_end(Tasks& tasks, bool begins) {
    const bool subgraph = take_keyword("subgraph");
    std::string name;
    if (subgraph && token_.kind == DotToken::kName && !take_name(name)) return false;
    if (subgraph || token_.is('{')) {
      if (!read_braces(tasks)) return false;
      std::ranges::sort(tasks);
      tasks.erase(std::ranges::unique(tasks).begin(), tasks.end());
      return true;
    }
    if (token_.kind != DotToken::kName) return expected(begins ? "a task or '}'" : "a task or '{'");
    if (!take_name(name)) return false;
    if (begins && take('=')) return take_name(name);
    for (int port = 0; port < 2 && take(':'); ++port) {
      std::string side;
      if (!take_name(side)) return false;
    }
    tasks.push_back(number_of(name));
    return true;
  }

  uint32_t number_of(const std::string& name) {
    const auto [found, fresh] =
        number_.try_emplace(name, static_cast<uint32_t>(read_.names.size()));
    if (fresh) {
      read_.names.push_back(name);
      read_.cost.push_back(cost_);
    }
    return found->second;
  }

  // Any number of [name = value, ...].
  bool read_attributes(std::optional<float>& cost) {
    while (take('[')) {
      while (!take(']')) {
        const size_t line = token_.line;
        std::string name, value;
        if (token_.kind != DotToken::kName) return expected("an attribute or ']'");
        if (!take_name(name)) return false;
        if (take('=') && !take_name(value)) return false;
        if (name == "cost" && !read_cost(value, line, cost)) return false;
        if (!take(',')) take(';');
      }
    }
    return true;
  }

  bool read_cost(const std::string& text, size_t line, std::optional<float>& cost) {
    const auto value = parse_decimal(text);
    cost = static_cast<float>(value.value_or(-1));
    return (*cost >= 0 && !std::isinf(*cost)) ||
           wrong(line, "the cost " + quoted(text) + " is not a number from 0 on");
  }

  DotLexer lexer_;
  DotToken token_;
  std::string_view file_;
  std::optional<Error> error_;
  Read read_;
  std::unordered_map<std::string, uint32_t> number_;
  float cost_ = 1;  // of tasks without one of their own
  int depth_ = 0;
};

// The tasks before each. Refuses edges that are there twice, or that end where they begin.
Result<Rows> rows_of(const Read& read, std::string_view file) {
  const auto n = static_cast<uint32_t>(read.names.size());
  Tasks to(read.edges.size());
  std::ranges::transform(read.edges, to.begin(), &Edge::to);
  const Rows by_task = graph::sorted_into_rows(to, n);  // numbers of edges
  std::vector<const Edge*> seen(n);                     // the last edge found from each task
  Rows before;
  before.reserve(n, to.size());
  for (uint32_t task = 0; task < n; ++task) {
    for (const uint32_t i : by_task[task]) {
      const Edge& edge = read.edges[i];
      const Edge* const first = std::exchange(seen[edge.from], &edge);
      if (edge.from == task)
        return wrong_at(file, edge.line,
                        "task " + quoted(read.names[task]) + " comes after itself");
      if (first == nullptr || first->to != task) {
        before.add(edge.from);
      } else if (!read.strict) {
        return wrong_at(file, edge.line,
                        "the edge from " + quoted(read.names[edge.from]) + " to " +
                            quoted(read.names[task]) + " is there twice, first in line " +
                            std::to_string(first->line) + "; a 'strict digraph' may repeat edges");
      }
    }
    before.end_row();
  }
  return before;
}

// Tasks that wait for each other, each behind one that it comes after; empty if there are none. What is
// left when tasks without others before them are taken away, again and again, comes after a circle.
Tasks circle_in(const Rows& before) {
  const uint32_t n = before.size();
  const Rows after = graph::turned(before, n);
  Tasks missing(n), taken;
  for (uint32_t task = 0; task < n; ++task)
    if ((missing[task] = before.length(task)) == 0) taken.push_back(task);
  for (size_t i = 0; i < taken.size(); ++i)
    for (const uint32_t task : after[taken[i]])
      if (--missing[task] == 0) taken.push_back(task);
  if (taken.size() == n) return {};
  const auto left = [&missing](uint32_t task) { return missing[task] > 0; };
  Tasks way, place(n, n);
  auto task =
      static_cast<uint32_t>(std::ranges::find_if(missing, std::identity()) - missing.begin());
  for (; place[task] == n; task = *std::ranges::find_if(before[task], left)) {
    place[task] = static_cast<uint32_t>(way.size());
    way.push_back(task);
  }
  way.erase(way.begin(), way.begin() + place[task]);
  std::ranges::reverse(way);
  std::ranges::rotate(way, std::ranges::min_element(way));  // from the lowest task on
  return way;
}

std::string named(const Tasks& circle, const std::vector<std::string>& names) {
  constexpr size_t kNamed = 8;
  std::string text = "tasks wait for each other in a circle: ";
  for (size_t i = 0; i < std::min(circle.size(), kNamed); ++i)
    text += quoted(names[circle[i]]) + " -> ";
  if (circle.size() > kNamed) text += "(" + std::to_string(circle.size() - kNamed) + " more) -> ";
  return text + quoted(names[circle.front()]);
}

}  // namespace

Result<NamedGraph> read_dot(std::string_view text, std::string_view name) {
  Result<Read> read = Parser(text, name).run();
  if (!read) return Error{read.error()};
  Result<Rows> before = rows_of(*read, name);
  if (!before) return Error{before.error()};
  if (const Tasks circle = circle_in(*before); !circle.empty())
    return Error{std::string(name) + ": " + named(circle, read->names)};
  Result<graph::Graph> graph = graph::Graph::from(*std::move(before), std::move(read->cost));
  if (!graph) return Error{std::string(name) + ": " + graph.error()};
  return NamedGraph{*std::move(graph), std::move(read->names)};
}

}  // namespace vicino::patterns
