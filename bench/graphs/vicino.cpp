// vicino: Vicino's task graphs.
#include <vicino/graph.h>

#include <memory>

#include "program.hpp"
#include "work.hpp"

namespace {

using GraphPointer = std::unique_ptr<vicino_graph, decltype(&vicino_graph_free)>;

class Backend {
 public:
  static constexpr const char* kName = "graph";
  static constexpr bool kSearches = true;

  Backend(const bench::Pattern& before, const std::string& coarse) {
    char why[512];
    const auto made = [&why](vicino_graph* graph) {
      if (graph != nullptr) return GraphPointer(graph, vicino_graph_free);
      std::fprintf(stderr, "%s\n", why);
      std::exit(bench::kNoGraph);
    };
    const GraphPointer fine = made(vicino_graph_new(
        before.rows(), before.first.data(), before.column.data(), nullptr, why, sizeof why));
    const double start = bench::clock_ns(CLOCK_MONOTONIC);
    forward_ = made(vicino_graph_coarsen(fine.get(), coarse.c_str(), why, sizeof why));
    coarsening_ns_ = bench::clock_ns(CLOCK_MONOTONIC) - start;
    backward_ = made(vicino_graph_transpose(forward_.get(), why, sizeof why));
    // A graph that searches would otherwise take factorisation and forward solve for the same
    // thing.
    if (coarse == bench::kAutomatic)
      factor_ = made(vicino_graph_coarsen(fine.get(), coarse.c_str(), why, sizeof why));
  }

  void run(bench::Operation operation, const bench::Body& body) {
    const auto call = [](const uint32_t* tasks, size_t count, void* data) {
      (*static_cast<const bench::Body*>(data))(tasks, count);
      return 0;
    };
    auto* const data = const_cast<bench::Body*>(&body);
    if (const int error = vicino_graph_run(of(operation), call, data, nullptr); error != 0) {
      std::fprintf(stderr, "vicino_graph_run returned %d\n", error);
      std::exit(bench::kNoGraph);
    }
  }
  template <class Each>
  static void loop(long count, const Each& each) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; ++i) each(i);
  }
  bench::Division division() const {
    return {vicino_graph_aggregates(forward_.get()), vicino_graph_aggregate_edges(forward_.get()),
            coarsening_ns_};
  }
  std::string explanation() const {
    if (!factor_) return {};
    std::string text;
    for (const bench::Operation operation :
         {bench::Operation::kFactor, bench::Operation::kForward, bench::Operation::kBackward}) {
      std::string one(vicino_graph_explain(of(operation), nullptr, 0) + 1, '\0');
      vicino_graph_explain(of(operation), one.data(), one.size());
      text += std::string(one.c_str()) + "\n";
    }
    return text;
  }

 private:
  vicino_graph* of(bench::Operation operation) const {
    if (operation == bench::Operation::kBackward) return backward_.get();
    return operation == bench::Operation::kFactor && factor_ ? factor_.get() : forward_.get();
  }

  GraphPointer forward_{nullptr, vicino_graph_free}, backward_{nullptr, vicino_graph_free},
      factor_{nullptr, vicino_graph_free};
  double coarsening_ns_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::graphs_main<Backend>(argc, argv); }
