// tbb_backend.hpp: a back end of oneTBB: two graphs, made once and run in the arena.
#pragma once

#include <tbb/parallel_for.h>

#include <optional>
#include <string>

#include "../tasks/tbb/arena.hpp"
#include "program.hpp"
#include "units.hpp"

namespace bench {

// A Graph is made from a graph::Coarse, has run(body), and kName, which names the back end.
template <class Graph>
class TbbBackend {
 public:
  static constexpr const char* kName = Graph::kName;
  static constexpr bool kSearches = false;
  static constexpr bool kHasNodes = false;

  TbbBackend(const Pattern& before, const std::string& coarse) : units_(before, coarse) {
    // A flow graph uses the arena in which it was made.
    in_arena([this] {
      forward_.emplace(units_.of(Operation::kForward));
      backward_.emplace(units_.of(Operation::kBackward));
    });
  }
  void run(Operation operation, const Body& body) {
    Graph& graph = operation == Operation::kBackward ? *backward_ : *forward_;
    in_arena([&] { graph.run(body); });
  }
  template <class Each>
  static void loop(long count, const Each& each) {
    in_arena([&] { tbb::parallel_for(0L, count, each, tbb::static_partitioner()); });
  }
  Division division() const { return units_.division(); }
  static std::string explanation() { return {}; }

 private:
  Units units_;
  std::optional<Graph> forward_, backward_;
};

}  // namespace bench
