// loops.hpp: a team's worksharing loops: entering, the next chunk, ordered regions.
#pragma once

#include "loop/parameters.hpp"
#include "site/call_site.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::LoopState;
using team::Member;
using team::Team;

struct LoopRequest {
  loop::ScheduleKind kind;
  uint64_t chunk = 0;      // 0: none given
  bool monotonic = false;  // by modifier
  bool ordered = false;    // the loop has ordered regions
  uint64_t trip = 0;
  bool sections = false;   // of a sections construct
  bool singly = false;     // chunks may wait for each other, as sections may: none is claimed ahead
  bool ascending = false;  // each member's chunks come in order, unless a schedule was named
  bool runtime = false;    // schedule(runtime): `kind` came from run-sched-var
  bool once = false;       // the compiled code asks once, and each member gets one block
  const loop::Selection* named = nullptr;  // of kNamed
  site::CallSite site = {};
  bool settled = false;  // the program's own code says `named`: only a rule for the loop changes it
  double fraction = -1;  // the static fraction that the program gives

  // The iterations of a doacross loop wait for earlier ones: D3 of loop/doacross.hpp.
  void waits_for_earlier() noexcept { monotonic = singly = true; }
};

// `schedule(runtime)`: takes run-sched-var of the member's task; with OMP_SCHEDULE unset (kAuto)
// Vicino chooses.
void use_runtime_schedule(const Member& member, LoopRequest& request);

// Every member of the team begins the loop, and all begin the region's loops in the same order.
void begin_loop(Member& member, const LoopRequest& request) noexcept;

// The next chunk. It is empty when there is none left; the loop has then ended for this member.
loop::Range next_chunk(Member& member) noexcept;

// Begins a static loop that asks once: returns the member's block, empty if it has none. Call
// end_block() when the member has run it.
loop::Range begin_block(Member& member, const site::CallSite& site, uint64_t trip) noexcept;
void end_block(Member& member) noexcept;

// Ends a loop of which the member will not ask for more chunks, because it was cancelled.
void abandon_loop(Member& member) noexcept;

// Waits until the turn has come to the member's chunk; hands the turn on when the chunk's ordered
// regions are over.
void wait_for_turn(Member& member) noexcept;
void hand_on_turn(Member& member) noexcept;

// Ordered regions, iteration by iteration. LLVM's code calls enter, leave, and after each iteration
// iteration_done(), whether it had a region or not. Outside of a loop, and in a team of one, there
// are no turns.
inline void enter_ordered(Member& member) noexcept {
  if (!member.loop.ordered) return;
  if (!member.loop.in_turn) wait_for_turn(member);
  member.worker->budget.hold_lock();
}

inline void leave_ordered(Member& member) noexcept {
  // An iteration has at most one ordered region: after that of the chunk's last iteration, no
  // ordered region of the chunk is left. gcc's code does not tell the iteration; then `at` stays at
  // the chunk's first one.
  const LoopState& l = member.loop;
  if (!l.ordered) return;
  member.worker->budget.drop_lock();
  if (l.at + 1 == l.chunk.end) hand_on_turn(member);
}

inline void iteration_done(Member& member) noexcept {
  LoopState& l = member.loop;
  if (!l.ordered || l.at == l.chunk.end) return;
  if (l.at + 1 == l.chunk.end)
    hand_on_turn(member);
  else
    ++l.at;
}

}  // namespace vicino::region
