// cancel.hpp: cancellation of regions, loops, sections and taskgroups.
//
// Cost   none while cancel-var is false but a test of it, beside what is read anyway.
//
// A cancelled region is left by its members from wherever they are; those that wait at a barrier
// must be let go, and all must agree how many meetings there were. So
//  C1 who cancels writes down the number of the meeting to come. Between two meetings all members
//     know the same one: whoever has passed the next must have met the one who cancels there, and
//     passed it as cancelled.
//  C2 in a region that may be cancelled each member ends with a barrier, unless it has passed that
//     meeting already: having waited there for those that had gone on to their end.
//  C3 after that meeting a member meets nobody but at the region's end.
//  C4 who waits for a slot of the loop ring, because others are not so far, does not wait for those
//     that have left: it leaves the loop out. Likewise who waits for its turn in an ordered loop:
//     it goes on, one at a time (ring.hpp, I5). Who cancels wakes them.
// So every member has the same meetings up to the one written down, and then gathers. It has seen
// the number by then: it was written before the writer's arrival there (B1, B2).
//
// A loop is named by the meeting to come and how many worksharing constructs the member has begun:
// its end is a barrier, so between two meetings at the most one is cancelled. The last and the next
// are told apart, for a member may be through the one's barrier and in the other when another is
// not. gcc's static loops begin without a call. Who cancels one is in no loop that we have seen
// begin, and says so; for others may still be in such a loop, the last before it.
//
// LLVM's loops with a reduction end in two barriers, and who finds the loop cancelled goes straight
// to the second. So who comes to the first and finds that leaves it out; who was in it already has
// met the others in their second, and leaves out its own.
#pragma once

#include "team/worker.hpp"

namespace vicino::team {

enum class Construct : uint8_t { kParallel, kLoop, kTaskgroup };  // sections are a loop

// The present task asks for the innermost `construct` to be cancelled; true if it is, and the task
// then goes to its end. False if cancel-var is.
bool cancel(Member& member, Construct construct) noexcept;
// Whether it is cancelled already; with the same consequence.
bool find_cancelled(Member& member, Construct construct) noexcept;
inline bool is_cancelled(Member& member, Construct construct) noexcept {
  return member.team->icvs.cancellation && find_cancelled(member, construct);
}

// Whether the task need not begin.
bool is_cancelled(const Member& member, const Task& task) noexcept;

inline bool region_is_cancelled(const Member& member) noexcept {
  return member.team->cancelled_at.load(std::memory_order_relaxed) != 0;
}

// Whether the member's loop is cancelled.
bool loop_is_cancelled(const Member& member) noexcept;

// The barrier between a loop's reduction and the one at the loop's end.
void reduction_barrier(Member& member) noexcept;

// Whether the member has passed the last meeting of a cancelled region (C3).
inline bool has_left(const Member& member) noexcept {
  const uint64_t at = member.team->cancelled_at.load(std::memory_order_relaxed);
  return at != 0 && (at <= member.meeting || member.team->size == 1);
}

}  // namespace vicino::team
