#include "region/cancel.hpp"

#include "region/constructs.hpp"
#include "region/loops.hpp"
#include "team/team_loops.hpp"

namespace vicino::region {
namespace {

// Not 0, for barrier generations are numbered from 1. The lowest bit is free for kUnseen.
uint64_t name_of_loop(const Member& member) noexcept {
  constexpr int kBits = 24;
  const uint64_t of_construct = member.met.worksharings & ((uint64_t{1} << kBits) - 1);
  return ((member.generation + 1) << kBits | of_construct) << 1;
}
// Added to a name: a loop that began without a call, after the loop with this name.
constexpr uint64_t kUnseen = 1;

bool is_in_seen_loop(const Member& member) noexcept { return member.loop.next != nullptr; }

plat::atomic<uint64_t>& cancelled_loop(const Member& member) noexcept {
  return member.team->cancelled.loops[member.generation % 2];
}

bool cancel_group(const Member& member) noexcept {
  Group* group = member.tasks.standing.innermost().inner;
  while (group != nullptr && group->is(Group::kOfConstruct)) group = group->outer;
  if (group != nullptr) group->cancelled.store(true, std::memory_order_relaxed);
  return group != nullptr;
}

bool leave(Member& member, Construct construct) noexcept {
  if (construct != Construct::kTaskgroup) abandon_loop(member);
  return true;
}

}  // namespace

bool cancel(Member& member, Construct construct) noexcept {
  if (!member.team->icvs.cancellation()) return false;
  uint64_t none = 0;
  switch (construct) {
    case Construct::kTaskgroup:
      return cancel_group(member);
    case Construct::kLoop:
      cancelled_loop(member).store(name_of_loop(member) | (is_in_seen_loop(member) ? 0 : kUnseen),
                                   std::memory_order_relaxed);
      break;
    case Construct::kParallel:
      member.team->cancelled.region.compare_exchange_strong(none, member.generation + 1,
                                                            std::memory_order_relaxed);  // C1
      member.team->loops().ring().notify();                                              // C4
      break;
  }
  return leave(member, construct);
}

bool find_cancelled(Member& member, Construct construct) noexcept {
  return was_cancelled(member, construct) && leave(member, construct);
}

bool was_cancelled(const Member& member, Construct construct) noexcept {
  return team::region_is_cancelled(member) ||
         (construct == Construct::kLoop && loop_is_cancelled(member)) ||
         (construct == Construct::kTaskgroup && team::taskgroup_is_cancelled(member));
}

bool loop_is_cancelled(const Member& member) noexcept {
  const uint64_t cancelled = cancelled_loop(member).load(std::memory_order_relaxed);
  return (is_in_seen_loop(member) ? cancelled : cancelled & ~kUnseen) == name_of_loop(member);
}

void reduction_barrier(Member& member) noexcept {
  if (!member.team->icvs.cancellation()) return barrier(member);
  if (loop_is_cancelled(member)) return;
  const auto& cancelled = cancelled_loop(member);
  const uint64_t name = name_of_loop(member);
  barrier(member);
  member.has_met = (cancelled.load(std::memory_order_relaxed) & ~kUnseen) == name;
}

}  // namespace vicino::region
