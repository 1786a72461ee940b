// pattern.hpp: sparse patterns: where a square sparse matrix has entries, without their values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "graph/rows.hpp"

namespace vicino::patterns {

using graph::Rows;

// A pattern is Rows of columns: each row's columns rise, and the diagonal is among them.

// A box of x * y * z cells. They are numbered along x first, then along y, then along z.
struct Grid {
  uint32_t x, y, z;

  uint64_t cells() const noexcept { return uint64_t{x} * y * z; }
  friend bool operator==(const Grid&, const Grid&) = default;
};

// "cube:N" is N x N x N cells. "spe10" is 60 x 220 x 85 cells, as the tenth comparative problem of
// the Society of Petroleum Engineers has; "spe10:N" has each side divided by N, and rounded up.
// The error says which numbers are accepted.
Result<Grid> parse_grid(std::string_view text);
bool names_grid(std::string_view text);

// Each cell and its up to six neighbours. The grid is one that parse_grid() returns.
Rows seven_point(const Grid& grid);

// The pattern of the pairs (row[i], column[i]) in any order, also repeated ones, with the diagonal.
// All numbers are less than `size`, and the pairs and the diagonal are fewer than graph::kMost.
Rows pattern_of(uint32_t size, std::span<const uint32_t> row, std::span<const uint32_t> column);

// The same matrix with rows and columns renumbered: what was order[i] becomes i.
Rows permuted(const Rows& pattern, std::span<const uint32_t> order);

// The entries before the diagonal: in the factorisation without fill, the rows before row i.
Rows lower_part(const Rows& pattern);

}  // namespace vicino::patterns
