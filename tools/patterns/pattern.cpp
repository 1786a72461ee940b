#include "patterns/pattern.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include "base/quote.hpp"

namespace vicino::patterns {
namespace {

constexpr std::string_view kCube = "cube:", kSpe10 = "spe10";
constexpr Grid kSpe10Grid{60, 220, 85};
constexpr uint32_t kMostCube = 800;  // its pattern has 3.6 * 10^9 entries
constexpr uint32_t kMostDivisor = 220;

std::optional<uint32_t> whole_number(std::string_view text, uint32_t most) {
  uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number == 0 || number > most) return {};
  return number;
}

Error not_a_number(std::string_view text, std::string_view name, uint32_t most) {
  return {quoted(text) + ": N of " + std::string(name) + ":N must be a whole number from 1 to " +
          std::to_string(most)};
}

Grid divided(const Grid& grid, uint32_t n) {
  const auto up = [n](uint32_t side) { return (side + n - 1) / n; };
  return {up(grid.x), up(grid.y), up(grid.z)};
}

void sort_rows(const std::vector<uint32_t>& first, std::vector<uint32_t>& columns) {
  for (size_t row = 0; row + 1 < first.size(); ++row)
    std::sort(columns.begin() + first[row], columns.begin() + first[row + 1]);
}

}  // namespace

bool names_grid(std::string_view text) {
  return text.starts_with(kCube) || text == kSpe10 || text.starts_with("spe10:");
}

Result<Grid> parse_grid(std::string_view text) {
  if (text == kSpe10) return kSpe10Grid;
  if (text.starts_with(kCube)) {
    const auto n = whole_number(text.substr(kCube.size()), kMostCube);
    if (!n) return not_a_number(text, "cube", kMostCube);
    return Grid{*n, *n, *n};
  }
  const auto n =
      names_grid(text) ? whole_number(text.substr(kSpe10.size() + 1), kMostDivisor) : std::nullopt;
  if (!n) return not_a_number(text, kSpe10, kMostDivisor);
  return divided(kSpe10Grid, *n);
}

Rows seven_point(const Grid& grid) {
  const auto cells = static_cast<uint32_t>(grid.cells());
  const uint32_t row = grid.x, plane = grid.x * grid.y;
  Rows rows;
  rows.reserve(cells, size_t{7} * cells);
  for (uint32_t z = 0, cell = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y)
      for (uint32_t x = 0; x < grid.x; ++x, ++cell) {
        if (z > 0) rows.add(cell - plane);
        if (y > 0) rows.add(cell - row);
        if (x > 0) rows.add(cell - 1);
        rows.add(cell);
        if (x + 1 < grid.x) rows.add(cell + 1);
        if (y + 1 < grid.y) rows.add(cell + row);
        if (z + 1 < grid.z) rows.add(cell + plane);
        rows.end_row();
      }
  return rows;
}

Rows pattern_of(uint32_t size, std::span<const uint32_t> row, std::span<const uint32_t> column) {
  std::vector<uint32_t> first(size_t{size} + 1);
  for (const uint32_t r : row) ++first[size_t{r} + 1];
  for (uint32_t r = 0; r < size; ++r) ++first[size_t{r} + 1];  // the diagonal
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<uint32_t> columns(first.back());
  std::vector<uint32_t> end(first.begin(), first.end() - 1);
  for (uint32_t r = 0; r < size; ++r) columns[end[r]++] = r;
  for (size_t i = 0; i < row.size(); ++i) columns[end[row[i]]++] = column[i];
  sort_rows(first, columns);
  Rows rows;
  rows.reserve(size, columns.size());
  for (uint32_t r = 0; r < size; ++r) {
    for (uint32_t i = first[r]; i < first[size_t{r} + 1]; ++i)
      if (i == first[r] || columns[i] != columns[i - 1]) rows.add(columns[i]);
    rows.end_row();
  }
  return rows;
}

Rows permuted(const Rows& pattern, std::span<const uint32_t> order) {
  const uint32_t n = pattern.size();
  std::vector<uint32_t> number(n);
  for (uint32_t i = 0; i < n; ++i) number[order[i]] = i;
  std::vector<uint32_t> first(size_t{n} + 1), columns;
  columns.reserve(pattern.items().size());
  for (uint32_t i = 0; i < n; ++i) {
    for (const uint32_t column : pattern[order[i]]) columns.push_back(number[column]);
    first[size_t{i} + 1] = static_cast<uint32_t>(columns.size());
  }
  sort_rows(first, columns);
  return {std::move(first), std::move(columns)};
}

Rows lower_part(const Rows& pattern) {
  Rows lower;
  lower.reserve(pattern.size(), pattern.items().size() / 2);
  for (uint32_t row = 0; row < pattern.size(); ++row) {
    for (const uint32_t column : pattern[row])
      if (column < row) lower.add(column);
    lower.end_row();
  }
  return lower;
}

}  // namespace vicino::patterns
