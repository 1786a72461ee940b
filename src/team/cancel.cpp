#include "team/cancel.hpp"

#include "team/fork.hpp"
#include "team/loops.hpp"

namespace vicino::team {
namespace {

// Not 0: a region's first meeting has a number above it. Room is left for kUnseen.
uint64_t name_of_loop(const Member& member) noexcept {
  constexpr int kBits = 24;
  const uint64_t of_meeting = member.worksharings & ((uint64_t{1} << kBits) - 1);
  return ((member.meeting + 1) << kBits | of_meeting) << 1;
}
// The loop is one of which nobody told us, after the one with this name.
constexpr uint64_t kUnseen = 1;

bool is_in_seen_loop(const Member& member) noexcept { return member.loop.next != nullptr; }

plat::atomic<uint64_t>& cancelled_loop(const Member& member) noexcept {
  return member.team->cancelled_loops[member.meeting % 2];
}

bool cancel_group(const Member& member) noexcept {
  Group* group = member.recorded->inner;
  while (group != nullptr && group->of_construct) group = group->outer;
  if (group != nullptr) group->cancelled.store(true, std::memory_order_relaxed);
  return group != nullptr;
}

bool group_is_cancelled(const Group* group) noexcept {
  for (; group != nullptr; group = group->outer)
    if (group->cancelled.load(std::memory_order_relaxed)) return true;
  return false;
}

bool leave(Member& member, Construct construct) noexcept {
  if (construct != Construct::kTaskgroup) abandon_loop(member);
  return true;
}

}  // namespace

bool cancel(Member& member, Construct construct) noexcept {
  if (!member.team->icvs.cancellation) return false;
  uint64_t none = 0;
  switch (construct) {
    case Construct::kTaskgroup:
      return cancel_group(member);
    case Construct::kLoop:
      cancelled_loop(member).store(name_of_loop(member) | (is_in_seen_loop(member) ? 0 : kUnseen),
                                   std::memory_order_relaxed);
      break;
    case Construct::kParallel:
      member.team->cancelled_at.compare_exchange_strong(none, member.meeting + 1,
                                                        std::memory_order_relaxed);  // C1
      member.team->ring().nudge();                                                   // C4
      break;
  }
  return leave(member, construct);
}

bool find_cancelled(Member& member, Construct construct) noexcept {
  const bool cancelled =
      region_is_cancelled(member) || (construct == Construct::kLoop && loop_is_cancelled(member)) ||
      (construct == Construct::kTaskgroup && group_is_cancelled(member.recorded->inner));
  return cancelled && leave(member, construct);
}

bool is_cancelled(const Member& member, const Task& task) noexcept {
  return region_is_cancelled(member) || group_is_cancelled(task.group);
}

bool loop_is_cancelled(const Member& member) noexcept {
  const uint64_t cancelled = cancelled_loop(member).load(std::memory_order_relaxed);
  return (is_in_seen_loop(member) ? cancelled : cancelled & ~kUnseen) == name_of_loop(member);
}

void reduction_barrier(Member& member) noexcept {
  if (!member.team->icvs.cancellation) return barrier(member);
  if (loop_is_cancelled(member)) return;
  const auto& cancelled = cancelled_loop(member);
  const uint64_t name = name_of_loop(member);
  barrier(member);
  member.has_met = (cancelled.load(std::memory_order_relaxed) & ~kUnseen) == name;
}

}  // namespace vicino::team
