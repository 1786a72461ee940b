// range.hpp: numbers that follow each other, rising or falling: a list of tasks in two words.
//
// Why    A body that gets a list of tasks reads four bytes for each, which may come from memory.
//        And it cannot know that the next row of a matrix is the next one in memory. A body that
//        gets ranges is a loop like the one that the program had before it had tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vicino::graph {

// first, first + step, ..., which are `count` numbers.
struct Range {
  uint32_t first;
  uint32_t count;
  int step;  // 1 or -1

  // Whether the next range continues this one. One of a single number has no direction of its own.
  bool takes(const Range& next) const noexcept {
    return count > 0 && next.first == first + static_cast<uint32_t>(step) * count &&
           (next.step == step || next.count == 1);
  }
};

// The longest range with which a list of one number or more begins.
inline Range first_range(std::span<const uint32_t> list) noexcept {
  const bool falls = list.size() > 1 && list[1] == list[0] - 1;
  const uint32_t step = falls ? UINT32_MAX : 1;
  uint32_t count = 1;
  while (count < list.size() && list[count] == list[count - 1] + step) ++count;
  return {list[0], count, falls ? -1 : 1};
}

// Calls act(range) for the ranges of a list, until it returns another value than 0, which is then
// the result.
template <class Act>
int for_each_range(std::span<const uint32_t> list, Act act) {
  while (!list.empty()) {
    const Range range = first_range(list);
    if (const int said = act(range)) return said;
    list = list.subspan(range.count);
  }
  return 0;
}

}  // namespace vicino::graph
