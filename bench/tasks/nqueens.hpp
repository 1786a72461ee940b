// nqueens.hpp: the common parts of the forms of nqueens.
#pragma once
#include <cstdlib>

namespace bench {

struct Queens {
  static constexpr const char* kName = "nqueens";
  static constexpr long kSmall = 7, kLarge = 12, kMost = 14;

  struct Board {
    signed char column[kMost];  // where the queen of each row is
  };

  explicit Queens(long size) : n(static_cast<int>(size)) {}
  void prepare() { answer = -1; }
  // The known numbers of solutions.
  bool right() const {
    constexpr long kSolutions[] = {1,  1,   0,   0,    2,     10,    4,     40,
                                   92, 352, 724, 2680, 14200, 73712, 365596};
    return answer == kSolutions[n];
  }
  long tasks() const { return 0; }

  static bool is_free(const Board& board, int row, int column) {
    for (int above = 0; above < row; ++above) {
      const int other = board.column[above];
      if (other == column || std::abs(other - column) == row - above) return false;
    }
    return true;
  }
  static Board with(const Board& board, int row, int column) {
    Board next = board;
    next.column[row] = static_cast<signed char>(column);
    return next;
  }

  int n;
  long answer = -1;
};

}  // namespace bench
