// sort.hpp: the common parts of the forms of sort: the input, the leaves, where a merge is split.
#pragma once
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "kernel.hpp"

namespace bench {

struct Span {
  int* first;
  int* last;
  long size() const { return last - first; }
};

// Two halves of a merge that do not touch each other.
struct SplitMerge {
  Span a_low, a_high, b_low, b_high;
  int* high_to;
};

struct Sort {
  static constexpr const char* kName = "sort";
  static constexpr long kSmall = 20'000, kLarge = 4'000'000, kMost = 1'000'000'000;
  static constexpr long kLeaf = 1024;

  // The input is a permutation of 0 to n-1, so each value says where it must end.
  explicit Sort(long n) : input(static_cast<size_t>(n)), data(input.size()), scratch(input.size()) {
    std::iota(input.begin(), input.end(), 0);
    for (size_t i = input.size(); i > 1; --i) std::swap(input[i - 1], input[scrambled(i) % i]);
  }
  void prepare() { data = input; }
  bool right() const {
    for (size_t i = 0; i < data.size(); ++i)
      if (data[i] != static_cast<int>(i)) return false;
    return true;
  }
  long tasks() const { return 0; }
  Span all() { return {data.data(), data.data() + data.size()}; }

  // Splits the longer span in its middle, and the shorter one where the middle's value would lie.
  static SplitMerge split(Span a, Span b, int* to) {
    if (a.size() < b.size()) std::swap(a, b);
    int* const a_middle = a.first + a.size() / 2;
    int* const b_middle = std::lower_bound(b.first, b.last, *a_middle);
    return {{a.first, a_middle},
            {a_middle, a.last},
            {b.first, b_middle},
            {b_middle, b.last},
            to + (a_middle - a.first) + (b_middle - b.first)};
  }

  std::vector<int> input, data, scratch;
};

}  // namespace bench
