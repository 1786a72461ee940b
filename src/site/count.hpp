// count.hpp: a number that one thread counts and another prints.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::site {

// One thread writes it, and the thread that prints reads it.
//
// Memory order: relaxed. The number says nothing about other memory, and only one thread changes
// it, so a load and a store are enough and no increment is lost. A reader may get an older number.
class Count {
 public:
  [[gnu::always_inline]] void operator++() noexcept { add(1); }
  [[gnu::always_inline]] void add(uint64_t more) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  void reset() noexcept { value_.store(0, std::memory_order_relaxed); }
  uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  plat::atomic<uint64_t> value_{0};
};

}  // namespace vicino::site
