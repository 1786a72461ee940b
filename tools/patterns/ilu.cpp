#include "patterns/ilu.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace vicino::patterns {
namespace {

// The row that is being factorised is a list linked by column numbers: `next` of an entry is the
// next greater column that has an entry. A merge goes through it once, because the columns of the
// other row rise, too.
class Elimination {
 public:
  Elimination(const Rows& pattern, uint32_t k)
      : pattern_(pattern), k_(k), next_(pattern.size()), level_(pattern.size()) {
    first_bringing_.reserve(size_t{pattern.size()} + 1);
    first_bringing_.push_back(0);
    const size_t half = pattern.items().size() / 2;
    factors_.lower.reserve(pattern.size(), half);
    factors_.upper.reserve(pattern.size(), half);
  }

  Result<Factors> run() {
    for (uint32_t row = 0; row < pattern_.size(); ++row) {
      link(row);
      for (uint32_t column = head_; column < row; column = next_[column])
        if (level_[column] < k_) eliminate(column);
      if (!keep(row))
        return Error{"the factors of ILU(" + std::to_string(k_) + ") have more than " +
                     std::to_string(graph::kMost - 1) + " entries, first in row " +
                     std::to_string(row + 1)};
    }
    return std::move(factors_);
  }

 private:
  struct Bringing {
    uint32_t column, level;
  };

  void link(uint32_t row) {
    const auto columns = pattern_[row];
    for (size_t i = 0; i < columns.size(); ++i) {
      next_[columns[i]] = i + 1 < columns.size() ? columns[i + 1] : kEnd;
      level_[columns[i]] = 0;
    }
    head_ = columns.front();  // there is one: the diagonal
  }

  void eliminate(uint32_t column) {
    uint32_t at = column;  // the last entry of the list that is before what is brought
    for (size_t i = first_bringing_[column]; i < first_bringing_[size_t{column} + 1]; ++i) {
      const Bringing& brings = bringing_[i];
      const uint32_t level = level_[column] + brings.level + 1;
      if (level > k_) continue;
      while (next_[at] <= brings.column) at = next_[at];
      if (at == brings.column) {
        level_[at] = std::min(level_[at], level);
        continue;
      }
      next_[brings.column] = std::exchange(next_[at], brings.column);
      level_[brings.column] = level;
      at = brings.column;
    }
  }

  // Only entries of levels below k can bring others.
  bool keep(uint32_t row) {
    for (uint32_t column = head_; column != kEnd; column = next_[column]) {
      if (column < row) factors_.lower.add(column);
      if (column <= row) continue;
      factors_.upper.add(column);
      if (level_[column] < k_) bringing_.push_back({column, level_[column]});
    }
    factors_.lower.end_row();
    factors_.upper.end_row();
    first_bringing_.push_back(bringing_.size());
    return factors_.lower.items().size() < graph::kMost &&
           factors_.upper.items().size() < graph::kMost;
  }

  static constexpr uint32_t kEnd = UINT32_MAX;

  const Rows& pattern_;
  const uint32_t k_;
  uint32_t head_ = kEnd;
  std::vector<uint32_t> next_, level_;  // of the row's entries only
  std::vector<size_t> first_bringing_;  // where the entries of each row begin in `bringing_`
  std::vector<Bringing> bringing_;      // what is behind the diagonal and below level k
  Factors factors_;
};

}  // namespace

Result<Factors> ilu(const Rows& pattern, uint32_t k) { return Elimination(pattern, k).run(); }

}  // namespace vicino::patterns
