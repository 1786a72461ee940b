// matrix.hpp: sparse matrices by rows, and the two that the paper of Taggre and Nas factorises.
//
// Why    Both come from seven-point formulas on a grid of cells, as in simulations of flow. The
//        cube has a number per entry and the same row everywhere. The field has a block of 3 x 3
//        per entry and coefficients that differ by orders of magnitude between layers, as in the
//        tenth SPE comparative solution project.
// Order  Cells are numbered along z first, then y, then x.
// Values They depend on the seed and on the place alone. The matrices are slightly nonsymmetric. In
//        each row the diagonal is larger than the sum of the others, so that incomplete factors
//        exist and need no pivots.
// Not    the field's measured data: the permeability here is log-normal, with a mean for each
//        layer.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../kernels/numbers.hpp"
#include "entries.hpp"

namespace bench {

using Index = uint32_t;

// The places that are not zero: row i has the columns column[first[i]] to column[first[i + 1] - 1],
// rising.
struct Pattern {
  std::vector<Index> first{0}, column;

  Index rows() const { return static_cast<Index>(first.size() - 1); }
  size_t entries() const { return column.size(); }
};

template <class Entry>
struct Matrix {
  Pattern pattern;
  std::vector<Entry> value;
};

struct Grid {
  long x, y, z;

  long cells() const { return x * y * z; }
};

inline constexpr uint64_t kSeed = 2010;

// A pseudorandom number from 0 to 1 for a place.
inline double chance(uint64_t kind, uint64_t place) {
  return uniform(scrambled(kSeed + kind) ^ (place * 8));
}

// A pseudorandom number from the normal distribution.
inline double normal(uint64_t kind, uint64_t place) {
  constexpr double kTwoPi = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(1 - chance(kind, place)));
  return radius * std::cos(kTwoPi * chance(kind + 1, place));
}

// Calls visit(neighbour, direction) for each neighbour of the cell in the grid, by rising number,
// and in between for the cell itself with direction -1. Directions are 0, 1 and 2 for x, y and z.
template <class Visit>
void each_neighbour(const Grid& grid, long cell, const Visit& visit) {
  const long z = cell % grid.z, y = cell / grid.z % grid.y, x = cell / grid.z / grid.y;
  const long across = grid.z * grid.y;
  if (x > 0) visit(cell - across, 0);
  if (y > 0) visit(cell - grid.z, 1);
  if (z > 0) visit(cell - 1, 2);
  visit(cell, -1);
  if (z < grid.z - 1) visit(cell + 1, 2);
  if (y < grid.y - 1) visit(cell + grid.z, 1);
  if (x < grid.x - 1) visit(cell + across, 0);
}

// entry_at(cell, neighbour, direction) gives the entries off the diagonal. The diagonal is then
// given by close(diagonal, the others of the row, cell).
template <class Entry, class EntryAt, class Close>
Matrix<Entry> on_grid(const Grid& grid, const EntryAt& entry_at, const Close& close) {
  Matrix<Entry> matrix;
  const auto cells = static_cast<size_t>(grid.cells());
  matrix.pattern.first.reserve(cells + 1);
  matrix.pattern.column.reserve(7 * cells);
  matrix.value.reserve(7 * cells);
  std::vector<Entry> others;
  for (long cell = 0; cell < grid.cells(); ++cell) {
    size_t diagonal = 0;
    others.clear();
    each_neighbour(grid, cell, [&](long neighbour, int direction) {
      matrix.pattern.column.push_back(static_cast<Index>(neighbour));
      if (direction < 0) {
        diagonal = matrix.value.size();
        matrix.value.push_back(Entry{});
      } else {
        others.push_back(entry_at(cell, neighbour, direction));
        matrix.value.push_back(others.back());
      }
    });
    close(matrix.value[diagonal], others, static_cast<uint64_t>(cell));
    matrix.pattern.first.push_back(static_cast<Index>(matrix.value.size()));
  }
  return matrix;
}

inline constexpr double kExcess = 0.01;  // of the diagonal over the sum of the others

inline Matrix<double> cube(const Grid& grid) {
  const auto entry = [](long cell, long neighbour, int) {
    const double skew = 0.05 * (chance(0, static_cast<uint64_t>(std::min(cell, neighbour))) - 0.5);
    return cell < neighbour ? -1 - skew : -1 + skew;
  };
  const auto close = [](double& diagonal, const std::vector<double>& others, uint64_t) {
    double sum = 0;
    for (const double other : others) sum += std::abs(other);
    diagonal = sum * (1 + kExcess) + 0.01;
  };
  return on_grid<double>(grid, entry, close);
}

// How easily a cell lets fluid through.
inline double permeability(const Grid& grid, long cell) {
  const auto layer = static_cast<uint64_t>(cell % grid.z);
  return std::exp(1.5 * normal(2, layer) + 0.8 * normal(4, static_cast<uint64_t>(cell)));
}

inline Matrix<Block3> field(const Grid& grid) {
  std::vector<double> eases(static_cast<size_t>(grid.cells()));
  for (long cell = 0; cell < grid.cells(); ++cell)
    eases[static_cast<size_t>(cell)] = permeability(grid, cell);
  constexpr double kVertical = 0.1;  // layers hinder the flow between them
  const auto entry = [&](long cell, long neighbour, int direction) {
    const double a = eases[static_cast<size_t>(cell)], b = eases[static_cast<size_t>(neighbour)];
    const double flow = 2 * a * b / (a + b) * (direction == 2 ? kVertical : 1);
    Block3 block;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double part =
            chance(6, static_cast<uint64_t>((cell * 7 + direction) * 9 + 3 * i + j));
        block.at[i][j] = -flow * (i == j ? 1 - 0.2 * part : 0.2 * part);
      }
    return block;
  };
  const auto close = [](Block3& diagonal, const std::vector<Block3>& others, uint64_t cell) {
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (const Block3& other : others)
        for (const double x : other.at[i]) sum += std::abs(x);
      const double coupled = 0.1 * sum;
      for (int j = 0; j < 3; ++j)
        if (j != i) diagonal.at[i][j] = coupled * (chance(8, cell * 9 + 3 * i + j) - 0.5);
      diagonal.at[i][i] = (sum + coupled) * (1 + kExcess) + 1e-6;
    }
  };
  return on_grid<Block3>(grid, entry, close);
}

}  // namespace bench
