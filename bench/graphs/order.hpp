// order.hpp: in which order the cells of a matrix are numbered: its rows, and so its tasks.
//
// Why    In the natural order nearly all rows come after each other. Nested dissection leaves more
//        of them independent, for more fill.
#pragma once
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "../kernels/arguments.hpp"
#include "matrix.hpp"
#include "patterns/dissection.hpp"
#include "work.hpp"

namespace bench {

enum class Order { kNatural, kDissection, kMetis };

inline Order order_called(std::string_view name) {
  if (name == "natural") return Order::kNatural;
  if (name == "dissection") return Order::kDissection;
  if (name == "metis") return Order::kMetis;
  reject("no order is called", name,
         "natural, dissection (nested dissection of the grid), metis (nested dissection by METIS)");
}

// The old numbers in the new order. Ends the process if METIS is not here.
inline std::vector<Index> numbers_in(Order order, const Grid& grid, const Pattern& pattern) {
  if (order == Order::kMetis) {
    auto found = vicino::patterns::dissected_by_metis({pattern.first, pattern.column});
    if (!found) end_without_graph(found.error());
    return *std::move(found);
  }
  // There a grid is numbered along x first, here along z.
  const auto side = [](long cells) { return static_cast<uint32_t>(cells); };
  return vicino::patterns::dissected({side(grid.z), side(grid.y), side(grid.x)});
}

// The same matrix with rows and columns renumbered: what was order[i] becomes i.
template <class Entry>
Matrix<Entry> permuted(const Matrix<Entry>& matrix, const std::vector<Index>& order) {
  const Pattern& old = matrix.pattern;
  std::vector<Index> number(order.size());
  for (Index i = 0; i < old.rows(); ++i) number[order[i]] = i;
  Matrix<Entry> result;
  result.pattern.first.reserve(old.first.size());
  result.pattern.column.reserve(old.entries());
  result.value.reserve(old.entries());
  std::vector<std::pair<Index, Index>> row;  // new column, old place
  for (const Index from : order) {
    row.clear();
    for (Index at = old.first[from]; at < old.first[from + 1]; ++at)
      row.emplace_back(number[old.column[at]], at);
    std::ranges::sort(row);
    for (const auto& [column, at] : row) {
      result.pattern.column.push_back(column);
      result.value.push_back(matrix.value[at]);
    }
    result.pattern.first.push_back(static_cast<Index>(result.value.size()));
  }
  return result;
}

template <class Entry>
Matrix<Entry> ordered(Matrix<Entry> matrix, Order order, const Grid& grid) {
  if (order == Order::kNatural) return matrix;
  return permuted(matrix, numbers_in(order, grid, matrix.pattern));
}

}  // namespace bench
