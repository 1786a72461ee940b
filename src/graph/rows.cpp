#include "graph/rows.hpp"

#include <algorithm>
#include <numeric>

namespace vicino::graph {
namespace {

// Counts at [row + 1]; the sums are then where each row begins.
std::vector<uint32_t> starts(std::span<const uint32_t> row_of, uint32_t rows) {
  std::vector<uint32_t> first(size_t{rows} + 1);
  for (const uint32_t row : row_of) ++first[size_t{row} + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

}  // namespace

bool are_rows(std::span<const uint32_t> first, size_t items) noexcept {
  return !first.empty() && first.front() == 0 && first.back() == items &&
         std::ranges::is_sorted(first);
}

Rows turned(const Rows& rows, uint32_t size) {
  std::vector<uint32_t> first = starts(rows.items(), size);
  std::vector<uint32_t> items(rows.items().size());
  std::vector<uint32_t> end(first.begin(), first.end() - 1);
  for (uint32_t i = 0; i < rows.size(); ++i)
    for (const uint32_t item : rows[i]) items[end[item]++] = i;
  return {std::move(first), std::move(items)};
}

Rows reversed(const Rows& rows) {
  const auto first = rows.first();
  std::vector<uint32_t> items(rows.items().begin(), rows.items().end());
  for (uint32_t i = 0; i < rows.size(); ++i)
    std::reverse(items.begin() + first[i], items.begin() + first[i + 1]);
  return {{first.begin(), first.end()}, std::move(items)};
}

Rows sorted_into_rows(std::span<const uint32_t> row_of, uint32_t rows) {
  std::vector<uint32_t> first = starts(row_of, rows);
  std::vector<uint32_t> items(row_of.size());
  std::vector<uint32_t> end(first.begin(), first.end() - 1);
  for (uint32_t i = 0; i < row_of.size(); ++i) items[end[row_of[i]]++] = i;
  return {std::move(first), std::move(items)};
}

}  // namespace vicino::graph
