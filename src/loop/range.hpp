// range.hpp: a piece of a canonical iteration space [0, trip).
#pragma once

#include <cstdint>

namespace vicino::loop {

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool empty() const noexcept { return begin == end; }
  uint64_t size() const noexcept { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace vicino::loop
