// sites.hpp: call sites of loops, and what is remembered of each.
//
// Why    A schedule that learns, a rule for one loop, statistics by loop: all ask "which loop is
//        this?". A loop is known by the address that called the runtime, by its team's size, and by
//        the schedule that keeps something: what one learned means nothing to another.
// Cost   a look into a hash table for each loop that asks, by the first of its team to come; none
// for
//        others. A site is made once, under the Cold lock, and lives as long as the process.
// Bound  kMost sites; loops beyond are scheduled without memory.
//
// Memory order: a site is complete before the release that puts it in its chain (S1), and who finds
// it there has the acquire (S2). What it holds are atomics of its own (loop/history.hpp).
#pragma once

#include <cstdint>
#include <memory>

#include "loop/registry.hpp"

namespace vicino::team {

// As a loop is met. `source` is ";file;function;line;column;;" of LLVM's compilers, or null.
struct CallSite {
  const void* address = nullptr;
  const char* source = nullptr;
};

class Site {
 public:
  static constexpr std::size_t kMost = 1 << 14;

  // Null if there are too many.
  static Site* find(const CallSite& call, const loop::Row& row, uint32_t members);

  const CallSite& call() const noexcept { return call_; }
  loop::History history() noexcept { return {words_.get(), count_}; }

 private:
  Site(const CallSite& call, const loop::Row& row, uint32_t members);

  const CallSite call_;
  const loop::Row* const row_;
  const uint32_t members_;
  const std::size_t count_;
  const std::unique_ptr<plat::atomic<uint64_t>[]> words_;
  Site* next_ = nullptr;  // in its chain
};

}  // namespace vicino::team
