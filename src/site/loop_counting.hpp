// loop_counting.hpp: a member counts what it does in a loop or taskloop: VICINO_STATS.
//
// Cost   when off, a few tests of a flag for each loop. A loop that is counted gets `next_counted`
//        in place of its schedule's own next(), and that reads the clock twice. Scheduling time is
//        the time in which a member is neither in the loop's body, nor in the barrier at its end,
//        nor waiting for its turn in an ordered region. The time that counting takes is not part of
//        it, except for one reading of the clock.
#pragma once

#include <cstdint>

#include "loop/cursor.hpp"
#include "plat/plat.hpp"

namespace vicino::site {

class LoopRecord;

// What a member keeps while it is in a loop that is counted.
struct LoopCounting {
  LoopRecord* record = nullptr;                                                // null: not counted
  loop::Range (*next)(void* shared, loop::Cursor& cursor) noexcept = nullptr;  // the schedule's
  void* shared = nullptr;
  uint64_t iterations = 0, chunks = 0, least = UINT64_MAX, most = 0, scheduling_ns = 0;
  loop::Tally before;

  // Counting begins, and ends with finish(). `begin_ns`: how long beginning the loop has taken.
  void start(LoopRecord& its_record, loop::Range (*its_next)(void*, loop::Cursor&) noexcept,
             void* its_shared, const loop::Tally& tally, uint64_t begin_ns);
  void add_chunk(uint64_t size) noexcept;
  void finish(const loop::Tally& tally, bool first_member) noexcept;
};

// Stands for a LoopScheduler's next(); `shared` is a LoopCounting.
loop::Range next_counted(void* shared, loop::Cursor& cursor) noexcept;

// What a member does for a taskloop while it runs the taskloop's tasks. Its chunks are tasks, and
// the time between two tasks is scheduling time.
class TaskloopCounting {
 public:
  // `record` is null if the taskloop is not counted.
  explicit TaskloopCounting(LoopRecord* record) {
    if (record == nullptr) return;
    counting_.start(*record, nullptr, nullptr, tally_, 0);
    since_ = plat::now();
  }
  void begin_tasks(uint64_t iterations) noexcept {
    if (counting_.record == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.add_chunk(iterations);
  }
  void end_tasks() noexcept {
    if (counting_.record != nullptr) since_ = plat::now();
  }
  void count_steal(topo::Distance distance) noexcept { tally_.count_steal(distance); }
  // `met_it` is true for exactly one of the members.
  void finish(bool met_it) noexcept {
    if (counting_.record == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.finish(tally_, met_it);
  }

 private:
  LoopCounting counting_;
  loop::Tally tally_;
  uint64_t since_ = 0;
};

}  // namespace vicino::site
