// sites.hpp: the call sites of loops, and what is remembered of each.
//
// Why    A schedule that learns, and statistics by loop, ask "which loop is this?". A loop is known
//        by the address that called the runtime, by its team's size, and by its schedule: what one
//        schedule has learned means nothing to another.
// Cost   a look into a hash table for each loop whose schedule learns or that is counted; none for
//        others.
// Bound  kMost sites; loops beyond are scheduled without memory, and not counted.
//
// A site's history consists of atomics of its own (loop/history.hpp); chains.hpp finds the site.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loop/registry.hpp"
#include "site/code.hpp"

namespace vicino::site {

// What all executions of a loop did: VICINO_STATS. Each member adds its part when the part ends.
// Relaxed: each number stands for itself, and an RMW loses nothing. The report at the process's end
// may lack a loop that is still running.
struct LoopCounts {
  plat::atomic<uint64_t> loops{0}, iterations{0}, chunks{0}, least{UINT64_MAX}, most{0}, adapted{0};
  plat::atomic<uint64_t> took_part{0};      // members that got iterations, summed over executions
  plat::atomic<uint64_t> scheduling_ns{0};  // time that all members spent in the runtime for it
  plat::atomic<uint64_t> stolen[topo::kDistanceNames.size()]{};
};

class Site {
 public:
  static constexpr std::size_t kMost = 1 << 14;

  // Null if there are too many sites. `schedule` is a string literal, so it is not copied.
  static Site* find(const CallSite& call, std::string_view schedule, uint32_t members,
                    std::size_t words = 0);
  static Site* find(const CallSite& call, const loop::Row& row, uint32_t members) {
    return find(call, row.name, members, row.history_words(members));
  }

  static std::vector<Site*> all();

  CallSite call() const noexcept { return {address_, source_.empty() ? nullptr : source_.c_str()}; }
  std::string_view schedule() const noexcept { return schedule_; }
  uint32_t members() const noexcept { return members_; }
  loop::History history() noexcept { return {words_.get(), count_}; }

  LoopCounts counts;
  Site* next = nullptr;  // in its chain

 private:
  Site(const CallSite& call, std::string_view schedule, uint32_t members, std::size_t words);

  const void* const address_;
  const std::string source_;  // a copy: a library may be unloaded with the original
  const std::string_view schedule_;
  const uint32_t members_;
  const std::size_t count_;
  const std::unique_ptr<plat::atomic<uint64_t>[]> words_;
};

// Gives the schedule its history of the loop, if it keeps one and the loop has an address.
void remember(const CallSite& call, const loop::Row& row, loop::Plan& plan);

}  // namespace vicino::site
