// constructs.hpp: single, copyprivate, critical sections and reductions of a team.
#pragma once

#include "sync/lock.hpp"
#include "team/fork.hpp"

namespace vicino::team {

// How long to poll for a lock before sleeping. Longer than a critical section that is worth having,
// shorter than a time slice; nothing when the holder may not be running.
inline plat::Budget lock_patience(const Member& member) noexcept {
  constexpr uint64_t kMost = 50'000;
  const sync::PatienceLimits& limits = *member.team->patience;
  return {.ns = std::min(limits.most, kMost), .share_core = limits.share_core};
}

// True for the one member of the team that is to run this `single`.
inline bool take_single(Member& member) noexcept {
  Team& team = *member.team;
  const uint64_t mine = member.singles++;
  return team.size == 1 || team.singles.take(mine, team.size);
}

// copyprivate: the member that ran the single gives its data; the others wait for it. Data stay
// until the barrier that all run into next, and whose number is the key: it is larger each time.
inline void give_copy(Member& member, void* data) noexcept {
  member.team->copy_data = data;
  member.team->copy.open(member.meeting + 1);
}
inline void* get_copy(Member& member) noexcept {
  const sync::Waiting waiting = member.waiting();
  member.team->copy.wait_for(member.meeting + 1, waiting.patience, waiting.limits);
  return member.team->copy_data;
}

// `atomic_possible`: the compiler has made code for it. The settings force a way or ask for the
// deterministic one, the tree, whose order follows from the team's size and places alone.
Reduction choose_reduction(const Member& member, bool atomic_possible) noexcept;

using Combine = void (*)(void* into, void* from);

// All members give their data; in member 0, which gets true, its own then hold everybody's. The
// others' data are in use until let_go(), which all call: the others at once, member 0 when it has
// made use of the result.
bool reduce_tree(Member& member, void* data, Combine combine) noexcept;
inline void let_go(Member& member) noexcept { barrier(member); }

}  // namespace vicino::team
