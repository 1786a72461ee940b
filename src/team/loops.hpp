// loops.hpp: a team's worksharing loops: entering, the next chunk, ordered regions.
#pragma once

#include "team/team.hpp"

namespace vicino::team {

struct LoopRequest {
  loop::ScheduleKind kind;
  uint64_t chunk = 0;      // 0: none given
  bool monotonic = false;  // by modifier
  bool ordered = false;    // the loop has ordered regions
  uint64_t trip = 0;
  bool singly = false;  // chunks may wait for each other, as sections do: none is claimed ahead
};

// `schedule(runtime)`: run-sched-var of the member's task, and with OMP_SCHEDULE unset (kAuto) what
// Vicino chooses.
void use_runtime_schedule(const Member& member, LoopRequest& request);

// Every member of the team begins the loop, in the same order as all others of the region.
void begin_loop(Member& member, const LoopRequest& request) noexcept;

// The next chunk, empty when there is none; the loop has then ended for this member.
loop::Range next_chunk(Member& member) noexcept;

// Ordered regions, iteration by iteration (LLVM's way: enter, leave, and `iteration_done` after
// each iteration, whether it had a region or not).
void enter_ordered(Member& member) noexcept;
void leave_ordered(Member& member) noexcept;
void iteration_done(Member& member) noexcept;

}  // namespace vicino::team
