// loops.hpp: a team's worksharing loops: entering, the next chunk, ordered regions.
#pragma once

#include "team/sites.hpp"
#include "team/team.hpp"

namespace vicino::team {

struct LoopRequest {
  loop::ScheduleKind kind;
  uint64_t chunk = 0;      // 0: none given
  bool monotonic = false;  // by modifier
  bool ordered = false;    // the loop has ordered regions
  uint64_t trip = 0;
  bool singly = false;   // chunks may wait for each other, as sections do: none is claimed ahead
  bool runtime = false;  // schedule(runtime): `kind` came from run-sched-var
  bool once = false;     // it asks once, and each member gets one block
  const loop::Selection* named = nullptr;  // of kNamed
  CallSite site = {};
  bool settled = false;  // `named` is the program's own word: only a rule for the loop changes it
  double fraction = loop::Plan::kNone;  // the static one, as the program gives it
};

// `schedule(runtime)`: run-sched-var of the member's task, and with OMP_SCHEDULE unset (kAuto) what
// Vicino chooses.
void use_runtime_schedule(const Member& member, LoopRequest& request);

// Every member of the team begins the loop, in the same order as all others of the region.
void begin_loop(Member& member, const LoopRequest& request) noexcept;

// The next chunk, empty when there is none; the loop has then ended for this member.
loop::Range next_chunk(Member& member) noexcept;

// A static loop that asks once: the member's block, empty if it has none. end_block() when the
// member has run it.
loop::Range begin_block(Member& member, const CallSite& site, uint64_t trip) noexcept;
void end_block(Member& member) noexcept;

// A loop of which the member will not ask for more: it was cancelled.
void abandon_loop(Member& member) noexcept;

// Waits until the turn has come to the member's chunk; gives it on when the chunk is done with it.
void wait_for_turn(Member& member) noexcept;
void hand_on_turn(Member& member) noexcept;

// Ordered regions, iteration by iteration (LLVM's way: enter, leave, and `iteration_done` after
// each iteration, whether it had a region or not). Without a loop, or alone in it, there are no
// turns.
inline void enter_ordered(Member& member) noexcept {
  if (member.loop.ordered && !member.loop.in_turn) wait_for_turn(member);
}

inline void leave_ordered(Member& member) noexcept {
  // An iteration has one ordered region at the most: after the chunk's last, nothing of it is left.
  // (gcc does not tell the iteration; `at` then stays at the chunk's first.)
  const LoopState& l = member.loop;
  if (l.ordered && l.at + 1 == l.chunk.end) hand_on_turn(member);
}

inline void iteration_done(Member& member) noexcept {
  LoopState& l = member.loop;
  if (!l.ordered || l.at == l.chunk.end) return;
  if (l.at + 1 == l.chunk.end)
    hand_on_turn(member);
  else
    ++l.at;
}

}  // namespace vicino::team
