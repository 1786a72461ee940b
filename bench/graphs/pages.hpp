// pages.hpp: on which nodes the arrays of a system lie.
//
//     one          on that of the thread that made them
//     interleaved  their pages take turns
//     strict, flexible   a page lies on the node that the graph's tasks have that write it, and such a
//                  task runs there alone, or there first (Nas)
//     matrix       as flexible, but vectors lie as a static loop would touch them, as the paper has them
#pragma once
#include <string_view>
#include <vector>

#include "../kernels/arguments.hpp"
#include "system.hpp"

namespace bench {

enum class Pages { kOne, kInterleaved, kStrict, kFlexible, kMatrix };

inline Pages pages_called(std::string_view name) {
  if (name == "one") return Pages::kOne;
  if (name == "interleaved") return Pages::kInterleaved;
  if (name == "strict") return Pages::kStrict;
  if (name == "flexible") return Pages::kFlexible;
  if (name == "matrix") return Pages::kMatrix;
  reject("no place of pages is called", name, "one, interleaved, strict, flexible, matrix");
}

// Whether they follow the tasks of a graph.
inline bool are_placed(Pages pages) { return pages != Pages::kOne && pages != Pages::kInterleaved; }

// Calls part(start, bytes) for all that belongs to the rows from `begin` to `end`.
template <class Entry, class... Vectors, class Part>
void each_part(System<Entry>& system, std::vector<Entry>& value, Index begin, Index end,
               const Part& part, Vectors&... vectors) {
  const auto of_rows = [&](auto& array) { part(&array[begin], (end - begin) * sizeof array[0]); };
  const auto of_entries = [&](const Pattern& pattern, auto& array) {
    const Index first = pattern.first[begin];
    part(&array[first], (pattern.first[end] - first) * sizeof array[0]);
  };
  Matrix<Entry>& matrix = system.matrix;
  FactorPattern& factor = system.factor;
  of_entries(matrix.pattern, matrix.value);
  of_entries(matrix.pattern, matrix.pattern.column);
  of_entries(factor.pattern, factor.pattern.column);
  of_entries(factor.pattern, value);
  of_rows(matrix.pattern.first);
  of_rows(factor.pattern.first);
  of_rows(factor.diagonal);
  (of_rows(vectors), ...);
}

// Has the tasks of a graph run on nodes, and what they write lie there.
template <class Entry, class Backend, class... Vectors>
void place(Backend& backend, bool strict, System<Entry>& system, std::vector<Entry>& value,
           Vectors&... vectors) {
  backend.place(strict);
  backend.move_data([&](Index row, const auto& written) {
    each_part(system, value, row, row + 1, written, vectors...);
  });
}

}  // namespace bench
