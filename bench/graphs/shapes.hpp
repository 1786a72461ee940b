// shapes.hpp: graphs of tasks that do nothing: what is left of a run's time is the cost of managing
// its tasks.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "../kernels/numbers.hpp"
#include "matrix.hpp"
#include "symbolic.hpp"

namespace bench {

inline Pattern chain(Index tasks) {
  Pattern before;
  for (Index task = 0; task < tasks; ++task) {
    if (task > 0) before.column.push_back(task - 1);
    before.first.push_back(static_cast<Index>(before.column.size()));
  }
  return before;
}

// A square: each task comes after the one above it and the one on its left.
inline Pattern square(Index tasks) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(tasks)));
  Pattern before;
  for (Index task = 0; task < side * side; ++task) {
    if (task >= side) before.column.push_back(task - side);
    if (task % side != 0) before.column.push_back(task - 1);
    before.first.push_back(static_cast<Index>(before.column.size()));
  }
  return before;
}

// Layers of some 500 tasks: each task comes after three tasks of the layer before it.
inline Pattern layers(Index tasks) {
  constexpr Index kPart = 171, kBefore = 3, kWide = kPart * kBefore;
  Pattern before;
  for (Index task = 0; task < tasks; ++task) {
    const Index layer = task / kWide;
    for (Index i = 0; layer > 0 && i < kBefore; ++i) {
      // One task of each third of the layer, so that they differ.
      const double place = chance(10, uint64_t{task} * kBefore + i) * kPart;
      before.column.push_back((layer - 1) * kWide + i * kPart + static_cast<Index>(place));
    }
    before.first.push_back(static_cast<Index>(before.column.size()));
  }
  return before;
}

inline Pattern without_edges(Index tasks) { return {std::vector<Index>(size_t{tasks} + 1, 0), {}}; }

// The graph of ILU(0) for a cube.
inline Pattern cube_rows(Index tasks) {
  const auto side = static_cast<long>(std::cbrt(static_cast<double>(tasks)) + 1e-9);
  return rows_before(incomplete(cube({side, side, side}).pattern, 0));
}

struct Shape {
  const char* name;
  Pattern (*make)(Index tasks);
};
inline constexpr Shape kShapes[] = {{"chain", chain},
                                    {"square", square},
                                    {"layers", layers},
                                    {"none", without_edges},
                                    {"cube", cube_rows}};

inline const Shape* shape_called(std::string_view name) {
  const Shape* const found = std::ranges::find(kShapes, name, &Shape::name);
  return found == std::end(kShapes) ? nullptr : found;
}

}  // namespace bench
