// loops.hpp: a team's worksharing loops: entering, the next chunk, ordered regions.
#pragma once

#include "region/selection.hpp"

namespace vicino::region {

using team::LoopState;

namespace detail {
void begin_loop(Member& member, const LoopRequest& request) noexcept;
}
// Every member of the team begins the loop, and all begin the region's loops in the same order. The
// member keeps the bounds, in place.
inline void begin_loop(Member& member, const loop::UserBounds& bounds,
                       const LoopRequest& request) noexcept {
  member.loop.bounds = bounds;
  detail::begin_loop(member, request);
}

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
