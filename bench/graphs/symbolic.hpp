// symbolic.hpp: which places an incomplete factorisation ILU(k) keeps, and the graph that follows.
#pragma once
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "patterns/ilu.hpp"
#include "work.hpp"

namespace bench {

struct FactorPattern {
  Pattern pattern;
  std::vector<Index> diagonal;  // where in the columns each row's diagonal is
};

// Ends the process if the factors would have too many entries.
inline FactorPattern incomplete(const Pattern& matrix, int most_fill) {
  const auto factors =
      vicino::patterns::ilu({matrix.first, matrix.column}, static_cast<uint32_t>(most_fill));
  if (!factors) end_without_graph(factors.error());
  FactorPattern both;
  both.pattern.column.reserve(factors->lower.items().size() + factors->upper.items().size() +
                              matrix.rows());
  std::vector<Index>& column = both.pattern.column;
  for (Index row = 0; row < matrix.rows(); ++row) {
    const auto below = factors->lower[row], above = factors->upper[row];
    column.insert(column.end(), below.begin(), below.end());
    both.diagonal.push_back(static_cast<Index>(column.size()));
    column.push_back(row);
    column.insert(column.end(), above.begin(), above.end());
    both.pattern.first.push_back(static_cast<Index>(column.size()));
  }
  return both;
}

// The graph of the factorisation and of the forward solve: row i comes after the rows of its
// columns below the diagonal.
inline Pattern rows_before(const FactorPattern& factor) {
  Pattern before;
  before.first.reserve(factor.pattern.first.size());
  before.column.reserve(factor.pattern.entries() / 2);
  for (Index row = 0; row < factor.pattern.rows(); ++row) {
    for (Index at = factor.pattern.first[row]; at < factor.diagonal[row]; ++at)
      before.column.push_back(factor.pattern.column[at]);
    before.first.push_back(static_cast<Index>(before.column.size()));
  }
  return before;
}

// Whether for each place (i, j) there is a place (j, i). Then the graph of the backward solve is
// the one above with all edges the other way round.
inline bool is_symmetric(const Pattern& pattern) {
  std::vector<Index> next(pattern.first.begin(), pattern.first.end() - 1);
  for (Index row = 0; row < pattern.rows(); ++row)
    for (Index at = pattern.first[row]; at < pattern.first[row + 1]; ++at) {
      const Index column = pattern.column[at];
      if (next[column] == pattern.first[column + 1] || pattern.column[next[column]] != row)
        return false;
      ++next[column];
    }
  return true;
}

}  // namespace bench
