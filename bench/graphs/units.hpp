// units.hpp: what the peers run: single tasks, or the aggregates that Vicino makes of them.
//
// Why    The peers have no coarsening. Their graphs are coarsened by Vicino's own sources, which
//        these programs contain, because two OpenMP runtimes must not meet in a process.
#pragma once
#include <string>
#include <utility>

#include "graph/coarse.hpp"
#include "graph/passes.hpp"
#include "work.hpp"

namespace bench {

class Units {
 public:
  Units(const Pattern& before, const std::string& coarse) {
    using vicino::graph::Graph;
    auto graph = Graph::from({before.first, before.column});
    if (!graph) end_without_graph(graph.error());
    const auto steps = vicino::graph::parse_coarse_string(coarse);
    if (!steps) end_without_graph(steps.error());
    const uint32_t tasks = graph->size();
    const double start = clock_ns(CLOCK_MONOTONIC);
    auto forward = coarsen({*std::move(graph), vicino::graph::one_each(tasks)}, *steps);
    coarsening_ns_ = clock_ns(CLOCK_MONOTONIC) - start;
    if (!forward) end_without_graph(forward.error());
    forward_ = *std::move(forward);
    backward_ = vicino::graph::turned(forward_);
  }

  const vicino::graph::Coarse& of(Operation operation) const {
    return operation == Operation::kBackward ? backward_ : forward_;
  }
  Division division() const {
    return {forward_.graph.size(), forward_.graph.edges(), coarsening_ns_};
  }

 private:
  vicino::graph::Coarse forward_, backward_;
  double coarsening_ns_ = 0;
};

}  // namespace bench
