// loop_record.hpp: what is remembered of a loop, for each schedule and size of team that it had.
//
// Why    Schedules that learn, and statistics by loop, ask "which loop is this?". What one schedule
//        has learned means nothing to another, and neither do the numbers of a team of other size.
// Cost   a look at the site's other records (sites.hpp) for each loop whose schedule learns or that
//        is counted; none for others.
// Bound  kMost records; loops beyond are scheduled without memory, and not counted.
//
// The history consists of atomics of its own: loop/history.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "loop/registry.hpp"
#include "site/counts.hpp"
#include "site/sites.hpp"

namespace vicino::site {

class LoopRecord {
 public:
  static constexpr std::size_t kMost = 1 << 14;

  // Null if `site` is null or there are too many records. `schedule` is a string literal, so it is
  // not copied.
  static LoopRecord* find(Site* site, std::string_view schedule, uint32_t members,
                          std::size_t words = 0);
  static LoopRecord* find(Site* site, const loop::Row& row, uint32_t members) {
    return find(site, row.name, members, row.history_words(members));
  }

  static std::vector<LoopRecord*> all();

  CallSite call() const noexcept { return site_.call(); }
  std::string_view schedule() const noexcept { return schedule_; }
  uint32_t members() const noexcept { return members_; }
  loop::History history() noexcept { return {words_.get(), count_}; }

  LoopCounts counts;
  LoopRecord* next = nullptr;  // in its chain

 private:
  LoopRecord(const Site& site, std::string_view schedule, uint32_t members, std::size_t words);

  const Site& site_;
  const std::string_view schedule_;
  const uint32_t members_;
  const std::size_t count_;
  const std::unique_ptr<plat::atomic<uint64_t>[]> words_;
};

// Gives the schedule what it has learned at the site, if it learns.
void remember(LazySite& site, const loop::Row& row, loop::Plan& plan);

}  // namespace vicino::site
