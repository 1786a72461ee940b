// blocks.hpp: the four steps of an LU factorisation by blocks, without pivots.
#pragma once

namespace bench {

template <int kSide>
struct Block {
  double at[kSide][kSide];
};

template <int kSide>
void factor(Block<kSide>& d) {
  for (int k = 0; k < kSide; ++k)
    for (int i = k + 1; i < kSide; ++i) {
      d.at[i][k] /= d.at[k][k];
      for (int j = k + 1; j < kSide; ++j) d.at[i][j] -= d.at[i][k] * d.at[k][j];
    }
}

// b = L^-1 b, with the unit lower triangle of d.
template <int kSide>
void solve_row(const Block<kSide>& d, Block<kSide>& b) {
  for (int k = 0; k < kSide; ++k)
    for (int i = k + 1; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) b.at[i][j] -= d.at[i][k] * b.at[k][j];
}

// b = b U^-1, with the upper triangle of d.
template <int kSide>
void solve_column(const Block<kSide>& d, Block<kSide>& b) {
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k) {
      b.at[i][k] /= d.at[k][k];
      for (int j = k + 1; j < kSide; ++j) b.at[i][j] -= b.at[i][k] * d.at[k][j];
    }
}

template <int kSide>
void subtract_product(const Block<kSide>& column, const Block<kSide>& row, Block<kSide>& b) {
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k)
      for (int j = 0; j < kSide; ++j) b.at[i][j] -= column.at[i][k] * row.at[k][j];
}

}  // namespace bench
