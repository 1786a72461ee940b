// turn.hpp: which call site tries something at present.
//
// Why    On several nodes a choice moves data to other nodes, and so makes other sites slower or
//        faster. Sites that try something at once would each measure what the others tried. So the
//        sites of a process take turns, and one keeps its turn until it has nothing to try for now.
// Lost   The program may never come to the site that has the turn again. When other sites have asked
//        kMostRefused times in vain since its last execution, it has lost the turn.
// Cost   of a question: some relaxed loads and stores.
//
// The words are hints, and relaxed: if two sites have the turn for a moment, one more sample is
// disturbed, which is no more than any other program on the machine can do.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::tune {

class Turn {
 public:
  static constexpr uint32_t kMostRefused = 24;

  // Whether the site has the turn now.
  bool take(const void* site) noexcept {
    const void* holder = holder_.load(std::memory_order_relaxed);
    if (holder != site && holder != nullptr &&
        refused_.fetch_add(1, std::memory_order_relaxed) < kMostRefused)
      return false;
    if (holder != site && !holder_.compare_exchange_strong(holder, site, std::memory_order_relaxed))
      return false;
    refused_.store(0, std::memory_order_relaxed);
    return true;
  }
  bool is_of(const void* site) const noexcept {
    return holder_.load(std::memory_order_relaxed) == site;
  }
  // The site gives its turn away, if it has it.
  void pass(const void* site) noexcept {
    holder_.compare_exchange_strong(site, nullptr, std::memory_order_relaxed);
  }

 private:
  plat::atomic<const void*> holder_{nullptr};
  plat::atomic<uint32_t> refused_{0};
};

}  // namespace vicino::tune
