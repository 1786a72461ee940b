// vicino_backend.hpp: Vicino's task graphs.
#pragma once

#include <vicino/graph.h>
#include <vicino/pages.h>

#include <memory>
#include <string>

#include "../kernels/numbers.hpp"
#include "options.hpp"
#include "work.hpp"

namespace bench {

using GraphPointer = std::unique_ptr<vicino_graph, decltype(&vicino_graph_free)>;

class VicinoBackend {
 public:
  static constexpr const char* kName = "graph";
  static constexpr bool kSearches = true;
  static constexpr bool kHasNodes = true;

  VicinoBackend(const Pattern& before, const std::string& coarse) {
    const GraphPointer fine = made(vicino_graph_new(
        before.rows(), before.first.data(), before.column.data(), nullptr, why_, sizeof why_));
    const double start = clock_ns(CLOCK_MONOTONIC);
    forward_ = made(vicino_graph_coarsen(fine.get(), coarse.c_str(), why_, sizeof why_));
    coarsening_ns_ = clock_ns(CLOCK_MONOTONIC) - start;
    backward_ = made(vicino_graph_transpose(forward_.get(), why_, sizeof why_));
    // A graph that searches would otherwise take factorisation and forward solve for the same
    // thing.
    if (coarse == kAutomatic)
      factor_ = made(vicino_graph_coarsen(fine.get(), coarse.c_str(), why_, sizeof why_));
  }

  // Gives the aggregates to the machine's nodes. Both directions have the same aggregates, and so
  // the same nodes.
  void place(bool strict) {
    expect_success("vicino_graph_place", vicino_graph_place(forward_.get(), strict));
    backward_ = made(vicino_graph_transpose(forward_.get(), why_, sizeof why_));
  }
  // Moves the pages that the tasks write: writes(task, written) calls written(start, bytes).
  template <class Writes>
  void move_data(const Writes& writes) {
    const auto call = [](uint32_t task, vicino_graph_list* list, void* data) {
      (*static_cast<const Writes*>(data))(task, [list](const void* start, size_t bytes) {
        vicino_graph_written(list, start, bytes);
      });
    };
    auto* const data = const_cast<Writes*>(&writes);
    expect_success("vicino_graph_move_data",
                   vicino_graph_move_data(forward_.get(), call, data, nullptr));
  }

  template <class Array>
  static void spread(Array& array) {
    expect_success("vicino_pages_spread",
                   vicino_pages_spread(array.data(), array.size() * sizeof array[0]));
  }

  void run(Operation operation, const Body& body) {
    const auto call = [](const uint32_t* tasks, size_t count, void* data) {
      (*static_cast<const Body*>(data))(tasks, count);
      return 0;
    };
    const auto call_range = [](uint32_t first, size_t count, int step, void* data) {
      static_cast<const Body*>(data)->range(first, count, step);
      return 0;
    };
    auto* const data = const_cast<Body*>(&body);
    expect_success("vicino_graph_run_ranges",
                   vicino_graph_run_ranges(of(operation), call_range, call, data, nullptr));
  }
  template <class Each>
  static void loop(long count, const Each& each) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; ++i) each(i);
  }
  Division division() const {
    return {vicino_graph_aggregates(forward_.get()), vicino_graph_aggregate_edges(forward_.get()),
            coarsening_ns_};
  }
  std::string explanation() const {
    if (!factor_) return {};
    std::string text;
    for (const Operation operation :
         {Operation::kFactor, Operation::kForward, Operation::kBackward}) {
      std::string one(vicino_graph_explain(of(operation), nullptr, 0) + 1, '\0');
      vicino_graph_explain(of(operation), one.data(), one.size());
      text += std::string(one.c_str()) + "\n";
    }
    return text;
  }

 private:
  GraphPointer made(vicino_graph* graph) const {
    if (graph != nullptr) return GraphPointer(graph, vicino_graph_free);
    end_without_graph(why_);
  }
  static void expect_success(const char* function, int error) {
    if (error != 0) end_without_graph(std::string(function) + " returned " + std::to_string(error));
  }
  vicino_graph* of(Operation operation) const {
    if (operation == Operation::kBackward) return backward_.get();
    return operation == Operation::kFactor && factor_ ? factor_.get() : forward_.get();
  }

  GraphPointer forward_{nullptr, vicino_graph_free}, backward_{nullptr, vicino_graph_free},
      factor_{nullptr, vicino_graph_free};
  double coarsening_ns_ = 0;
  char why_[512];  // what was refused
};

}  // namespace bench
