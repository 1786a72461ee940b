// graph.cpp: `vicino graph`: task graphs of sparse matrices and of files, coarsened and described.
#include <algorithm>
#include <fstream>
#include <new>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "graph/file.hpp"
#include "graph/passes.hpp"
#include "graph/place.hpp"
#include "files.hpp"
#include "graph_input.hpp"
#include "graph_picture.hpp"
#include "graph_report.hpp"
#include "graph_run.hpp"
#include "graph_work.hpp"
#include "patterns/dissection.hpp"
#include "patterns/ilu.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

struct GraphOptions {
  Words inputs;
  std::string format, order;
  std::optional<uint32_t> fill;
  bool transpose = false;
  std::optional<std::string> coarsen;
  uint32_t nodes = 0;
  std::string dot, svg, json, save;
  int run = 0;  // threads
};

constexpr const char* kDescription =
    R"(Describes a task graph: how many tasks and edges it has, how long its longest
chain is, and how many threads it can keep at work; with --coarsen also its
aggregates, and with --nodes how they are divided among NUMA nodes.

The input is a matrix or a graph:

cube:N
    The matrix of a grid of N x N x N cells, each with its up to six neighbours.
spe10, spe10:N
    The same for 60 x 220 x 85 cells, and with each side divided by N and
    rounded up. Cells are numbered along the side of 60 first, then along that
    of 220.
FILE.mtx
    A square matrix in Matrix Market's coordinate format.
FILE.graph
    A task graph of Vicino's own format, as --save writes it.
FILE.dot, FILE.gv
    A digraph in Graphviz's language DOT. The attribute "cost" of a task is
    what it costs, 1 without it.
-
    The standard input; --format says what it is.

Of a matrix the graph is that of its factorisation ILU(K), or of the forward
solve with it: task i works on row i, and comes after the tasks of the rows j
< i in which row i of the factors has an entry. A backward solve with a
symmetric pattern has the transposed graph. Each task costs 1.
)";

constexpr const char* kOptionTexts =
    R"(--order natural
    As the matrix is numbered. This is the default.
--order nd
    Nested dissection: of a grid by planes of cells, of a file by METIS.
--order metis
    Nested dissection by METIS, also of a grid.
--coarsen STRING
    Passes from left to right, each applied to the aggregates of the one before
    it, as in SD(300)F(32). It is applied after --transpose. With --run it may
    be automatic: then the runs find the fastest string, and the times tell why.
--nodes N
    The aggregates (without --coarsen the tasks) of each depth are cut into N
    parts of similar cost, in the order of their numbers, as F(N) cuts them.
    An edge is cut if its tasks are on different nodes.
--run THREADS
    Runs the graph by one thread and by THREADS, in turns. A task counts for 50
    ns times its cost. The medians are shown, with the middle half of the times.
)";

constexpr const char* kExamples =
    R"(  vicino graph cube:100 --ilu 1 --coarsen 'CD(4)' --nodes 4
  vicino graph matrix.mtx --json -
)";

std::string passes_text() {
  std::string text;
  for (const graph::PassRow& pass : graph::passes()) {
    text += pass.letter;
    if (!pass.parameter.empty()) text += fmt::format("({})", pass.parameter);
    text += fmt::format("\n    {}: {}.\n", pass.name, pass.summary);
  }
  return text;
}

const std::string& the_input(const GraphOptions& options) {
  if (options.inputs.empty())
    throw Failure(kUsage, "graph: no input is given; see vicino graph --help");
  if (options.inputs.size() > 1)
    throw Failure(kUsage,
                  fmt::format("graph: '{}' is a second input; it takes one", options.inputs[1]));
  return options.inputs.front();
}

// Nothing else is to be on the standard output then.
bool prints_file(const GraphOptions& options) {
  int count = 0;
  for (const std::string* file : {&options.dot, &options.svg, &options.json}) count += *file == "-";
  if (count > 1)
    throw Failure(kUsage, "graph: only one of --dot, --svg and --json can be the standard output");
  return count == 1;
}

graph::Rows ordered(GraphInput& input, const std::string& order) {
  if (order == "natural") return *std::move(input.pattern);
  if (order == "nd" && input.grid)
    return patterns::permuted(*input.pattern, patterns::dissected(*input.grid));
  const auto by_metis = patterns::dissected_by_metis(*input.pattern);
  if (!by_metis)
    throw Failure(kUsage, fmt::format("graph: --order {}: {}", order, by_metis.error()));
  return patterns::permuted(*input.pattern, *by_metis);
}

graph::Graph graph_of(const graph::Rows& pattern, uint32_t fill) {
  auto factors = patterns::ilu(pattern, fill);
  if (!factors) throw Failure(kUsage, "graph: " + factors.error());
  auto graph = graph::Graph::from(std::move(factors->lower));
  if (!graph) throw Failure(kUsage, "graph: " + graph.error());
  return *std::move(graph);
}

void expect_no_matrix_options(const GraphOptions& options, const std::string& input) {
  const char* option = options.fill ? "--ilu" : !options.order.empty() ? "--order" : nullptr;
  if (option != nullptr)
    throw Failure(kUsage,
                  fmt::format("graph: {} is for matrices; '{}' is a task graph", option, input));
}

// The aggregates of a file are those of passes that are not known.
void take_aggregates(GraphWork& work, GraphInput& input) {
  work.coarse = *std::move(input.coarse);
  if (work.coarse.graph.size() < work.graph.size()) work.passes = "file ";
  work.nodes = std::move(input.nodes);
  work.strict = std::move(input.strict);
  if (!work.nodes.empty())
    work.node_count = static_cast<uint32_t>(std::ranges::max(work.nodes) + 1);
}

GraphWork read_work(const GraphOptions& options) {
  GraphWork work;
  work.input = the_input(options);
  GraphInput input = read_graph_input(work.input, options.format);
  if (input.pattern) {
    work.fill = options.fill.value_or(0);
    work.order = options.order.empty() ? "natural" : options.order;
    work.graph = graph_of(ordered(input, work.order), *work.fill);
  } else {
    expect_no_matrix_options(options, work.input);
    work.graph = *std::move(input.graph);
    work.names = std::move(input.names);
    if (input.coarse) take_aggregates(work, input);
  }
  work.transposed = options.transpose;
  if (options.transpose) {
    work.graph = work.graph.turned();
    work.coarse = graph::turned(work.coarse);
  }
  return work;
}

// Begins with the aggregates of the file, if there are some.
void coarsen(GraphWork& work, const std::optional<std::string>& text) {
  if (!text && work.passes) return;
  if (!work.passes) work.coarse = {work.graph, graph::one_each(work.graph.size())};
  if (text == graph::kAutomatic) return;
  const auto steps = graph::parse_coarse_string(text.value_or(""));
  if (!steps) throw Failure(kUsage, "--coarsen: " + steps.error());
  auto coarse = graph::coarsen(work.coarse, *steps);
  if (!coarse) throw Failure(kUsage, "--coarsen: " + coarse.error());
  work.coarse = *std::move(coarse);
  if (text) work.passes = work.passes.value_or("") + graph::to_text(*steps);
  if (!text) return;
  work.nodes.clear();
  work.strict.clear();
}

void place(GraphWork& work, uint32_t nodes) {
  work.node_count = nodes;
  work.nodes = graph::place_by_fronts(work.coarse.graph, static_cast<int>(nodes), false).node;
  work.strict.assign(work.nodes.size(), 0);
}

void save(const GraphWork& work, const std::string& file) {
  const Error error = graph::save(work.graph, work.coarse.tasks, work.nodes, work.strict, file);
  if (!error.text.empty()) throw Failure(kUsage, "graph: " + error.text);
}

void expect_runs(const GraphOptions& options) {
  if (options.run == 0 && options.coarsen == graph::kAutomatic)
    throw Failure(kUsage, "graph: --coarsen automatic is found out by running: give --run THREADS");
  if (options.run > 0 && prints_file(options))
    throw Failure(kUsage, "graph: --run writes to the standard output, as another option does");
}

int describe(const GraphOptions& options) {
  const bool prints = prints_file(options);
  expect_runs(options);
  GraphWork work = read_work(options);
  coarsen(work, options.coarsen);
  if (work.nodes.empty()) work.node_count = 0;
  if (options.nodes > 0) place(work, options.nodes);
  if (!options.dot.empty()) expect_small(work, "--dot");
  if (!options.svg.empty()) expect_small(work, "--svg");
  if (!options.dot.empty()) write_or_print(options.dot, graph_as_dot(work));
  if (!options.svg.empty()) write_or_print(options.svg, graph_as_svg(work));
  if (!options.json.empty()) write_or_print(options.json, graph_as_json(work));
  if (!options.save.empty()) save(work, options.save);
  std::string ran;
  if (options.run > 0)
    ran = "\n" + run_text(work, options.run, options.coarsen == graph::kAutomatic);
  if (!prints) fmt::print("{}{}", graph_as_text(work), ran);
  return kOk;
}

int act(const GraphOptions& options) {
  try {
    return describe(options);
  } catch (const std::bad_alloc&) {
    throw Failure(
        kUsage, fmt::format("graph: there is not enough memory for '{}'", options.inputs.front()));
  }
}

void add_file(CLI::App& app, const std::string& option, std::string& file,
              const std::string& text) {
  app.add_option(option, file, text)->type_name("FILE");
}

void add_options(CLI::App& app, GraphOptions& options) {
  app.add_option("input", options.inputs)->group("");
  app.add_option("--format", options.format, fmt::format("Format of the file: {}", graph_formats()))
      ->type_name("FORMAT")
      ->check(must_be("one of " + graph_formats(), is_graph_format));
  app.add_option("--ilu", options.fill, "Levels of fill of the factors, ILU(K) (0)")
      ->type_name("K")
      ->check(count_from_to(0, patterns::kMostFill));
  app.add_option("--order", options.order, "Order of the rows: natural, nd or metis (natural)")
      ->type_name("ORDER")
      ->check(must_be("natural, nd or metis", [](const std::string& order) {
        return order == "natural" || order == "nd" || order == "metis";
      }));
  app.add_flag("--transpose", options.transpose, "Turn all edges the other way round");
  app.add_option("--coarsen", options.coarsen, "Put tasks together, as in 'SD(300)F(32)'")
      ->type_name("STRING");
  app.add_option("--nodes", options.nodes, "Divide each depth among N NUMA nodes")
      ->type_name("N")
      ->check(count_from_to(1, 1024));
  add_file(app, "--json", options.json, "Write the numbers as JSON; - is standard output");
  add_file(app, "--dot", options.dot,
           fmt::format("Draw the graph, of up to {} tasks, in DOT", kMostDrawnTasks));
  add_file(app, "--svg", options.svg, "Draw it as SVG, depth from top to bottom");
  add_file(app, "--save", options.save, "Write graph, aggregates and nodes; see FILE.graph");
  app.add_option("--run", options.run, "Run it by one thread and by THREADS")
      ->type_name("THREADS")
      ->check(count_from_to(1, 4096));
}

}  // namespace

Command add_graph(CLI::App& root) {
  CLI::App* app = root.add_subcommand("graph", "Describe task graphs, coarsened or as they are");
  auto options = std::make_shared<GraphOptions>();
  add_options(*app, *options);
  return {.app = app,
          .synopsis = "[options] cube:N | spe10[:N] | FILE",
          .sections = {{"Description", kDescription},
                       {"More on options", kOptionTexts},
                       {"Coarse strings", passes_text()},
                       {"Examples", kExamples}},
          .action = [options](const Words&) { return act(*options); }};
}

}  // namespace vicino::cli
