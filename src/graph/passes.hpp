// passes.hpp: the coarsening passes by letter, and coarse strings such as "SD(300)F(32)".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "graph/coarse.hpp"

namespace vicino::graph {

struct PassRow {
  char letter;
  std::string_view name, summary;
  std::string_view parameter;  // what the number in brackets says; "": there is none
  Rows (*group)(const Graph& graph, uint32_t parameter);
};

std::span<const PassRow> passes() noexcept;

// Words that stand for a coarse string where one is given: the graph's runs find one (grain.hpp);
// every task stays an aggregate of its own, as with the empty string.
inline constexpr std::string_view kAutomatic = "automatic", kNoPass = "none";

struct Step {
  const PassRow* pass;
  uint32_t parameter = 0;
};
using CoarseString = std::vector<Step>;

// "" is no pass. The error shows the place in the text and says what is accepted there.
Result<CoarseString> parse_coarse_string(std::string_view text);
std::string to_text(const CoarseString& steps);

// Every task is an aggregate of its own.
Rows one_each(uint32_t tasks);

// Applies the passes from left to right, each to the aggregates of the one before it; the first to
// those of `coarse`.
Result<Coarse> coarsen(const Coarse& coarse, const CoarseString& steps);
inline Result<Coarse> coarsen(const Graph& graph, const CoarseString& steps) {
  return coarsen(Coarse{graph, one_each(graph.size())}, steps);
}

}  // namespace vicino::graph
