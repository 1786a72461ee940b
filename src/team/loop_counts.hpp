// loop_counts.hpp: what loops and taskloops did, by call site: VICINO_STATS.
//
// Cost   none when off but tests of a flag for each loop: a loop that is counted gets
//        `next_counted` in the place of its schedule's own next. That looks at the clock twice: the
//        time of a member that is neither in the loop's body nor in the barrier at its end, nor
//        waits for its turn in an ordered region, is scheduling time. What counting itself takes is
//        none, but for a look at the clock.
#pragma once

#include <stdio.h>

#include <string>
#include <vector>

#include "loop/registry.hpp"
#include "team/sites.hpp"

namespace vicino::team {

// Of a member, while it is in a loop that is counted.
struct LoopCounting {
  Site* site = nullptr;                                                        // null: it is not
  loop::Range (*next)(void* shared, loop::Cursor& cursor) noexcept = nullptr;  // the schedule's
  void* shared = nullptr;
  uint64_t iterations = 0, chunks = 0, least = UINT64_MAX, most = 0, scheduling_ns = 0;
  loop::Tally before;

  // From here on, and until finish(). To begin the loop has taken `begin_ns`.
  void start(Site& its_site, loop::Range (*its_next)(void*, loop::Cursor&) noexcept,
             void* its_shared, const loop::Tally& tally, uint64_t begin_ns);
  void add_chunk(uint64_t size) noexcept;
  void finish(const loop::Tally& tally, bool first_member) noexcept;
};

// A LoopScheduler's next(), for which `shared` is a LoopCounting.
loop::Range next_counted(void* shared, loop::Cursor& cursor) noexcept;

// What a member does for a taskloop that it runs tasks of: chunks are tasks. Between two tasks it
// is in the runtime.
class TaskloopCounting {
 public:
  // `site`: null if nothing is to be counted.
  explicit TaskloopCounting(Site* site) {
    if (site == nullptr) return;
    counting_.start(*site, nullptr, nullptr, tally_, 0);
    since_ = plat::now();
  }
  void begin_tasks(uint64_t iterations) noexcept {
    if (counting_.site == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.add_chunk(iterations);
  }
  void end_tasks() noexcept {
    if (counting_.site != nullptr) since_ = plat::now();
  }
  void count_steal(topo::Distance distance) noexcept { tally_.count_steal(distance); }
  // `met_it`: of all members, one.
  void finish(bool met_it) noexcept {
    if (counting_.site == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.finish(tally_, met_it);
  }

 private:
  LoopCounting counting_;
  loop::Tally tally_;
  uint64_t since_ = 0;
};

struct CountedLoop {
  std::string where;
  Site* site;
};

// Those that ran, by name. Not under the Cold lock.
std::vector<CountedLoop> loop_counts();
void print_loops_table(FILE* out, const std::vector<CountedLoop>& loops);
// "loops": [...]
void print_loops_json(FILE* out, const std::vector<CountedLoop>& loops);

}  // namespace vicino::team
