// ilu.hpp: the pattern of an incomplete LU factorisation with levels of fill, ILU(k).
//
// Why    Where the factors have entries decides which rows must be ready before another: the task
//        graph of the factorisation and of its triangular solves.
// Rule   An entry of the matrix has level 0. Eliminating column c of row i brings an entry (i, j) of
//        level lev(i, c) + lev(c, j) + 1 for each entry (c, j) behind the diagonal of row c; an entry
//        has the least level that it gets, and entries of levels above k are dropped.
// Cost   for each row, a merge of its entries with each earlier row that can bring fill.
// Source Saad, Iterative Methods for Sparse Linear Systems, section 10.3
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "patterns/pattern.hpp"

namespace vicino::patterns {

inline constexpr uint32_t kMostFill = 100;  // the greatest k

// The patterns of both factors, without the diagonal. Rows rise.
struct Factors {
  Rows lower, upper;
};

// k is at most kMostFill. The error: the factors would have too many entries.
Result<Factors> ilu(const Rows& pattern, uint32_t k);

}  // namespace vicino::patterns
