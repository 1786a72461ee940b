// symbolic.hpp: which places an incomplete factorisation ILU(k) keeps.
//
// Rule   A place of the matrix has level 0. Elimination of column k in row i makes an entry at (i,
//        j) of level lev(i,k) + lev(k,j) + 1; its level is the least of all such. Places with
//        levels up to k are kept. Rows are eliminated in their natural order.
// Source Saad, Iterative Methods for Sparse Linear Systems, section 10.3.3.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "matrix.hpp"

namespace bench {

struct FactorPattern {
  Pattern pattern;
  std::vector<Index> diagonal;  // where in the columns each row's diagonal is
};

class Symbolic {
 public:
  Symbolic(const Pattern& matrix, int most) : matrix_(matrix), most_(most) {
    level_.resize(matrix.rows(), kAbsent);
  }

  FactorPattern run() {
    for (Index row = 0; row < matrix_.rows(); ++row) {
      start(row);
      for (size_t at = 0; row_[at] < row; ++at) eliminate(row_[at]);
      keep(row);
    }
    return std::move(found_);
  }

 private:
  static constexpr int kAbsent = 1 << 20;

  void start(Index row) {
    row_.assign(matrix_.column.begin() + matrix_.first[row],
                matrix_.column.begin() + matrix_.first[row + 1]);
    for (const Index column : row_) level_[column] = 0;
  }

  // Columns that are added lie behind `by`, so the caller meets them later.
  void eliminate(Index by) {
    const Pattern& done = found_.pattern;
    for (Index at = found_.diagonal[by] + 1; at < done.first[by + 1]; ++at) {
      const Index column = done.column[at];
      const int level = level_[by] + levels_[at] + 1;
      if (level > most_ || level >= level_[column]) continue;
      if (level_[column] == kAbsent)
        row_.insert(std::lower_bound(row_.begin(), row_.end(), column), column);
      level_[column] = level;
    }
  }

  void keep(Index row) {
    Pattern& done = found_.pattern;
    for (const Index column : row_) {
      if (column == row) found_.diagonal.push_back(static_cast<Index>(done.column.size()));
      done.column.push_back(column);
      levels_.push_back(static_cast<uint8_t>(level_[column]));
      level_[column] = kAbsent;
    }
    done.first.push_back(static_cast<Index>(done.column.size()));
  }

  const Pattern& matrix_;
  const int most_;
  std::vector<int> level_;  // of each column of the row
  std::vector<Index> row_;  // its columns, rising
  std::vector<uint8_t> levels_;
  FactorPattern found_;
};

inline FactorPattern incomplete(const Pattern& matrix, int most_fill) {
  return Symbolic(matrix, most_fill).run();
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
