// cancel.hpp: cancellation of regions, loops, sections and taskgroups.
//
// Cost   while cancel-var is false, only a test of it, which lies beside what is read anyway.
//
// The members of a cancelled region leave it from wherever they are. Members that wait at a barrier
// must be let go, and all members must agree how many barriers there were. So
//  C1 the member that cancels writes down the generation of the next barrier. Between two
//     barriers all members write the same number: a member that has passed the next barrier has met
//     the cancelling member there, and so passed it as cancelled.
//  C2 in a region that may be cancelled each member ends with a barrier, unless it has passed the
//     barrier with that generation already, where the members that had gone on to their end
//     arrived too.
//  C3 after that barrier a member waits for the others only at the region's end.
//  C4 a member that waits for a slot of the loop ring, because others are still in an earlier loop,
//     does not wait for members that have left: it leaves the loop out. A member that waits for its
//     turn in an ordered loop goes on, too, one member at a time (I5 of loop/ring.hpp). The member
//     that cancels wakes those that wait.
// So every member passes the same barriers up to the one written down, and then gathers. By then it
// has seen the number, which was written before the writer arrived there (B1 and B2 of
// sync/barrier.hpp). That is why the atomics of `Cancelled` are relaxed (team/cancelled.hpp).
//
// A loop's name consists of the next barrier's generation and the number of worksharing constructs
// that the member has begun. A cancelled loop ends with a barrier, so between two barriers at most
// one loop is cancelled. The last loop and the next have different names and entries of
// `Cancelled::loops`, for one member may have passed the last one's barrier and be in the next loop when another has not. gcc's static
// loops begin without a call. A member that cancels one is in no loop that Vicino has seen begin,
// and says so (kUnseen); for other members may still be in the last loop that Vicino has seen,
// whose name is the same otherwise.
//
// LLVM's loops with a reduction end in two barriers, and a member that finds the loop cancelled
// goes straight to the second. So a member that comes to the first one and finds the loop cancelled
// leaves the first one out. A member that was in its first barrier already has met the others in
// their second, and leaves out its own second (Member::has_met).
#pragma once

#include "team/cancelled.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::Group;
using team::has_left;
using team::is_cancelled;
using team::Member;
using team::region_is_cancelled;
using team::Task;
using team::Team;

enum class Construct : uint8_t { kParallel, kLoop, kTaskgroup };  // sections are a loop

// The present task asks to cancel the innermost `construct`. True if that is cancelled: the task
// then goes to its end. False if cancel-var is false.
bool cancel(Member& member, Construct construct) noexcept;
// Whether the construct is cancelled already: the task then goes to its end.
bool find_cancelled(Member& member, Construct construct) noexcept;
inline bool is_cancelled(Member& member, Construct construct) noexcept {
  return member.team->icvs.cancellation() && find_cancelled(member, construct);
}

// Whether the construct is cancelled; the member's loop is not left. The caller has tested cancel-var.
bool was_cancelled(const Member& member, Construct construct) noexcept;

// Whether the member's loop is cancelled.
bool loop_is_cancelled(const Member& member) noexcept;

// The barrier between a loop's reduction and the one at the loop's end.
void reduction_barrier(Member& member) noexcept;

}  // namespace vicino::region
