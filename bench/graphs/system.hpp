// system.hpp: a linear system with its incomplete factors, and all that is done to one row of it.
//
// Why    A task is the work on one row. The serial loops and all graphs call these functions, so
//        their answers must be the same to the last bit.
// Factor Row by row (IKJ): the rows above, by which a row is eliminated, are complete. The inverse
//        of the diagonal is stored in the diagonal's place.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "matrix.hpp"
#include "symbolic.hpp"

namespace bench {

template <class Entry>
using Vector = std::vector<Part<Entry>>;

template <class Entry>
struct System {
  Matrix<Entry> matrix;
  FactorPattern factor;

  Index rows() const { return matrix.pattern.rows(); }
};

// Where a row's columns are in the factor: for each column its place and one more, 0 if the row
// does not have it. Every thread has one, and it is all zeros between two rows.
using Places = std::vector<Index>;

template <class Entry>
void factor_row(const System<Entry>& system, std::vector<Entry>& value, Index row, Places& places) {
  const Pattern& a = system.matrix.pattern;
  const Pattern& f = system.factor.pattern;
  const std::vector<Index>& diagonal = system.factor.diagonal;
  for (Index at = f.first[row]; at < f.first[row + 1]; ++at) {
    places[f.column[at]] = at + 1;
    value[at] = Entry{};
  }
  for (Index at = a.first[row]; at < a.first[row + 1]; ++at)
    value[places[a.column[at]] - 1] = system.matrix.value[at];
  for (Index at = f.first[row]; at < diagonal[row]; ++at) {
    const Index by = f.column[at];
    value[at] = product(value[at], value[diagonal[by]]);
    for (Index from = diagonal[by] + 1; from < f.first[by + 1]; ++from)
      if (const Index place = places[f.column[from]]; place != 0)
        subtract_product(value[at], value[from], value[place - 1]);
  }
  value[diagonal[row]] = inverse(value[diagonal[row]]);
  for (Index at = f.first[row]; at < f.first[row + 1]; ++at) places[f.column[at]] = 0;
}

// Solves L y = b for one row. L has ones on its diagonal.
template <class Entry>
void forward_row(const System<Entry>& system, const std::vector<Entry>& value,
                 const Vector<Entry>& b, Vector<Entry>& y, Index row) {
  const Pattern& f = system.factor.pattern;
  Part<Entry> sum = b[row];
  for (Index at = f.first[row]; at < system.factor.diagonal[row]; ++at)
    subtract(sum, value[at], y[f.column[at]]);
  y[row] = sum;
}

// Solves U x = y for one row.
template <class Entry>
void backward_row(const System<Entry>& system, const std::vector<Entry>& value,
                  const Vector<Entry>& y, Vector<Entry>& x, Index row) {
  const Pattern& f = system.factor.pattern;
  const Index diagonal = system.factor.diagonal[row];
  Part<Entry> sum = y[row];
  for (Index at = diagonal + 1; at < f.first[row + 1]; ++at)
    subtract(sum, value[at], x[f.column[at]]);
  x[row] = product(value[diagonal], sum);
}

// y = A x for one row.
template <class Entry>
void multiply_row(const Matrix<Entry>& matrix, const Vector<Entry>& x, Vector<Entry>& y,
                  Index row) {
  Part<Entry> sum{};
  for (Index at = matrix.pattern.first[row]; at < matrix.pattern.first[row + 1]; ++at)
    subtract(sum, matrix.value[at], x[matrix.pattern.column[at]]);
  y[row] = Part<Entry>{};
  add_times(y[row], -1, sum);
}

}  // namespace bench
