// lines.hpp: the cache lines of one simulated loop: which core owns each, which others have a copy.
//
// A table with open addressing. forget() is cheap, since each loop begins without known lines: an
// entry of an earlier generation counts as free.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/line.hpp"
#include "plat/sim/costs.hpp"

namespace vicino::sim {

struct Line {
  static constexpr uint32_t kNobody = UINT32_MAX;

  uintptr_t number = 0;
  uint64_t generation = 0;
  uint64_t copies = 0;  // a bit for each core that can read the line
  Time free = 0;        // until then the line is on its way to the core that asked last
  uint32_t owner = kNobody;

  bool has(uint32_t core) const noexcept { return copies >> core & 1; }
  bool is_only(uint32_t core) const noexcept { return copies == uint64_t{1} << core; }
};

class Lines {
 public:
  Lines() : table_(256) {}

  void forget() noexcept {
    ++generation_;
    used_ = 0;
  }

  Line& of(const void* address) {
    const uintptr_t number = reinterpret_cast<uintptr_t>(address) / kLine;
    Line& line = slot(number);
    if (line.generation == generation_) return line;
    if (2 * ++used_ > table_.size()) {
      grow();
      return of(address);
    }
    line = {number, generation_};
    return line;
  }

 private:
  // The line's entry, or the free one where it belongs.
  Line& slot(uintptr_t number) noexcept {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = (number * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (table_[i].generation == generation_ && table_[i].number != number) i = (i + 1) & mask;
    return table_[i];
  }

  void grow() {
    std::vector<Line> old(2 * table_.size());
    old.swap(table_);
    used_ = 0;
    for (const Line& line : old)
      if (line.generation == generation_) {
        slot(line.number) = line;
        ++used_;
      }
  }

  std::vector<Line> table_;
  uint64_t generation_ = 1;
  std::size_t used_ = 0;
};

}  // namespace vicino::sim
