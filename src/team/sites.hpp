// sites.hpp: call sites of loops, and what is remembered of each.
//
// Why    A schedule that learns, and statistics by loop, ask "which loop is this?". A loop is known
//        by the address that called the runtime, by its team's size, and by the schedule that keeps
//        something: what one learned means nothing to another.
// Cost   a look into a hash table for each loop that asks; none for others.
// Bound  kMost sites; loops beyond are scheduled without memory, and not counted.
//
// What a site holds are atomics of its own (loop/history.hpp); how it is found: chains.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loop/registry.hpp"
#include "team/code.hpp"

namespace vicino::team {

// What all executions of a loop did: VICINO_STATS. Added up by each member when its part ends.
struct LoopCounts {
  plat::atomic<uint64_t> loops{0}, iterations{0}, chunks{0}, least{UINT64_MAX}, most{0}, adapted{0};
  plat::atomic<uint64_t> took_part{0};      // members that were given iterations, of each execution
  plat::atomic<uint64_t> scheduling_ns{0};  // of all members, in the runtime for the loop
  plat::atomic<uint64_t> stolen[topo::kDistanceNames.size()]{};
};

class Site {
 public:
  static constexpr std::size_t kMost = 1 << 14;

  // Null if there are too many. `schedule` is a literal.
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

// Gives the schedule what it remembers of the loop, if it keeps anything and the loop has a place.
void remember(const CallSite& call, const loop::Row& row, loop::Plan& plan);

}  // namespace vicino::team
