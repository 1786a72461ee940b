// lines.hpp: the cache lines of one simulated loop: which core owns each, which others have a copy.
//
// A table with open addressing. forget() is cheap, since each loop begins without known lines: an
// entry of an earlier generation counts as free.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/line.hpp"
#include "plat/sim/costs.hpp"

namespace vicino::sim {

// Cores, as bits.
class CoreSet {
 public:
  static constexpr uint32_t kMost = 128;

  bool has(uint32_t core) const noexcept { return words_[core / 64] >> core % 64 & 1; }
  void add(uint32_t core) noexcept { words_[core / 64] |= uint64_t{1} << core % 64; }
  void become(uint32_t core) noexcept {
    words_ = {};
    add(core);
  }
  bool is_only(uint32_t core) const noexcept {
    return words_[core / 64] == uint64_t{1} << core % 64 && words_[1 - core / 64] == 0;
  }
  void for_each(auto&& f) const {
    for (uint32_t w = 0; w < words_.size(); ++w)
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        f(64 * w + static_cast<uint32_t>(std::countr_zero(left)));
  }

 private:
  std::array<uint64_t, kMost / 64> words_{};
};

struct Line {
  static constexpr uint32_t kNobody = UINT32_MAX;

  uintptr_t number = 0;
  uint64_t generation = 0;
  CoreSet copies{};  // cores that can read the line
  Time free = 0;     // until then the line is on its way to the core that asked last
  uint32_t owner = kNobody;

  bool has(uint32_t core) const noexcept { return copies.has(core); }
  bool is_only(uint32_t core) const noexcept { return copies.is_only(core); }
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
