// entries.hpp: what a matrix and its vectors are made of: numbers, or blocks of 3 x 3 and three
// numbers.
#pragma once
#include <array>
#include <cmath>

#include "../kernels/blocks.hpp"

namespace bench {

using Block3 = Block<3>;
using Triple = std::array<double, 3>;

template <class Entry>
struct VectorOf;
template <>
struct VectorOf<double> {
  using Type = double;
};
template <>
struct VectorOf<Block3> {
  using Type = Triple;
};
template <class Entry>
using Part = typename VectorOf<Entry>::Type;  // what a row of a vector holds

// b -= column * row
inline void subtract_product(double column, double row, double& b) { b -= column * row; }

inline double product(double a, double b) { return a * b; }
inline Block3 product(const Block3& a, const Block3& b) {
  Block3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.at[i][j] = a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j] + a.at[i][2] * b.at[2][j];
  return c;
}
inline Triple product(const Block3& a, const Triple& x) {
  Triple y;
  for (int i = 0; i < 3; ++i) y[i] = a.at[i][0] * x[0] + a.at[i][1] * x[1] + a.at[i][2] * x[2];
  return y;
}

inline double inverse(double a) { return 1 / a; }
// By cofactors: the blocks on the diagonal are dominant, so no pivot is needed.
inline Block3 inverse(const Block3& a) {
  const auto& m = a.at;
  Block3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int r1 = (j + 1) % 3, r2 = (j + 2) % 3, c1 = (i + 1) % 3, c2 = (i + 2) % 3;
      c.at[i][j] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    }
  const double determinant = m[0][0] * c.at[0][0] + m[0][1] * c.at[1][0] + m[0][2] * c.at[2][0];
  for (auto& row : c.at)
    for (double& x : row) x /= determinant;
  return c;
}

inline double dot(double a, double b) { return a * b; }
inline double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// to += factor * x
inline void add_times(double& to, double factor, double x) { to += factor * x; }
inline void add_times(Triple& to, double factor, const Triple& x) {
  for (int i = 0; i < 3; ++i) to[i] += factor * x[i];
}

// b -= a * x
inline void subtract(double& b, double a, double x) { b -= a * x; }
inline void subtract(Triple& b, const Block3& a, const Triple& x) {
  for (int i = 0; i < 3; ++i) b[i] -= a.at[i][0] * x[0] + a.at[i][1] * x[1] + a.at[i][2] * x[2];
}

}  // namespace bench
