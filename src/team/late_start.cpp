#include "team/late_start.hpp"

#include "sync/handover.hpp"

namespace vicino::team {
namespace {

void call_up(Team& team, uint64_t number) {
  sync::call_up(team, sync::Go::pack(number, team.size), team.awake, team.attached,
                [&](int i) { team.mailbox(i).call = team.late.call; });
}

}  // namespace

void call_late_members(Team& team) {
  if (begin_calling(team)) call_up_now(team);
}

bool begin_calling(Team& team) noexcept {
  return team.late.members.call(team.member(0).generation);
}

void call_up_now(Team& team) { call_up(team, team.member(0).generation); }

bool watch(Member& watcher) {
  Team& team = *watcher.team;
  const uint64_t number = team.late.members.look(watcher.watch);
  if (number != 0) call_up(team, number);
  return number != 0;
}

}  // namespace vicino::team
