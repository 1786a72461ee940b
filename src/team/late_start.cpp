#include "team/late_start.hpp"

#include <algorithm>

#include "sync/handover.hpp"
#include "task/sleep.hpp"
#include "team/team_loops.hpp"

namespace vicino::team {
namespace {

void call_up(Team& team, uint64_t number) {
  sync::call_up(team, sync::Go::pack(number, team.size), team.awake, team.attached,
                [&](int i) { team.mailbox(i).call = team.late.call(); });
}

}  // namespace

bool begin_alone(Team& team, Beginning how, const Call& call, bool may_close) {
  if (team.awake != team.size || team.attached < team.size) {
    if (how == Beginning::kAloneForLent) team.late.begin_together(Beginning::kTogetherForLent);
    return false;
  }
  if (team.late.begin_alone(how, team.member(0).generation, call, may_close))
    task::wake(team, kWatcher, [](int) { return true; });  // W2
  return true;
}

bool end_alone(Team& team) {
  const Member& primary = team.member(0);
  if (!team.late.close(primary.generation)) {
    call_late_members(team);
    return false;
  }
  // The other members have not entered the loops, and so will never leave their slots.
  for (uint64_t s = 0; s < std::min(primary.met.loops, loop::Ring::kSlots); ++s)
    team.loops().ring().slot(s).reset_after(0, static_cast<uint32_t>(team.size));
  return true;
}

void call_late_members(Team& team) {
  if (begin_calling(team)) call_up_now(team);
}

bool begin_calling(Team& team) noexcept {
  return team.late.needs_members(team.member(0).generation);
}

void call_up_now(Team& team) { call_up(team, team.member(0).generation); }

bool watch(Team& team) {
  const uint64_t number = team.late.look();
  if (number != 0) call_up(team, number);
  return number != 0;
}

}  // namespace vicino::team
