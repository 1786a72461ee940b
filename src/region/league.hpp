// league.hpp: teams regions on the host.
//
// The teams of a league run one after the other, on the thread that meets the region. OpenMP lets
// teams run in any order and gives them no way to wait for each other, so the program cannot tell.
// Each team can so have all of the machine for its parallel regions, and keeps the threads of the team
// before it.
//
// A team's initial task is the only member of a team of one at level 0, whatever regions lie around
// it. The team is a contention group: its thread limit counts its own threads alone. OpenMP allows a
// teams region only where nothing but the program's own initial task lies around it, and that is
// such a member already: then it runs the teams itself, and only its ICVs change from team to team.
#pragma once

#include "region/constructs.hpp"
#include "region/fork.hpp"
#include "team/worker.hpp"

namespace vicino::region {

// What the clauses of a teams construct say; 0: nothing.
struct LeagueRequest {
  int least_teams = 0;
  int most_teams = 0;
  int thread_limit = 0;
};

// nteams-var and teams-thread-limit-var of the host; 0: not set.
int nteams() noexcept;
void set_nteams(int teams) noexcept;
void set_teams_thread_limit(int threads) noexcept;

namespace detail {
// teams-thread-limit-var; negative until the settings have been asked.
extern plat::atomic<int> teams_thread_limit;
int ask_for_teams_thread_limit() noexcept;
}  // namespace detail
inline int teams_thread_limit() noexcept {
  const int limit = detail::teams_thread_limit.load(std::memory_order_relaxed);
  return limit >= 0 ? limit : detail::ask_for_teams_thread_limit();
}

// Whether the present task, the thread's initial one, may itself become a team's initial task. It
// may in any program that OpenMP allows and that has no tasks outside of its regions. A team has to
// wait for its own tasks alone, and must not cancel anything of the task around it; a tool is told of
// each team; and the first region of a program binds its thread (begin_initial()).
inline bool may_stand_in(const Member& member) noexcept {
  const team::Team& team = *member.team;
  const team::TaskState& tasks = member.tasks;
  return team.parent == nullptr && team.icvs.is_plain() && tasks.standing.is_in_implicit() &&
         tasks.recording == nullptr && !tasks.epoch.has_tasks() &&
         (member.bound.place >= 0 || !topo::to_places(member.icvs->bind));
}

// Ends a team that the member has stood in for. What the team has set in its ICVs ends with it, for
// those that change are the member's own.
inline void end_standing_in(Member& initial) {
  if (initial.tasks.epoch.has_tasks()) [[unlikely]]
    barrier(initial);
  initial.icvs = &initial.team->icvs;
}

// Runs call.run(member, call) as each team's initial task.
void run_league(const Call& call, const LeagueRequest& request);

// Whether the league has one team, whose ICVs are those of the task around it. It may also be false
// where that is so.
inline bool is_one_plain_team(const Member& member, const LeagueRequest& request) noexcept {
  const team::Icvs& icvs = member.team->icvs;
  const int limit = request.thread_limit > 0
                        ? request.thread_limit
                        : detail::teams_thread_limit.load(std::memory_order_relaxed);
  return request.most_teams == 1 && member.icvs == &icvs && icvs.league_size == 1 &&
         (limit == 0 || limit >= icvs.thread_limit);
}

// Runs body() as the initial task of the league's only team, if that needs nothing else; else
// false. What it calls otherwise is rare, so that its caller has few registers to save.
template <class Body>
[[gnu::always_inline]] inline bool run_as_one_team(const LeagueRequest& request, Body body) {
  Member* const member = team::self;
  if (member == nullptr || !may_stand_in(*member) || !is_one_plain_team(*member, request))
      [[unlikely]]
    return false;
  body();
  end_standing_in(*member);
  return true;
}

// For callers that run the teams themselves: begins the first team of a league, or the next one;
// false when all teams have run, and the league has ended.
void begin_first_team(const LeagueRequest& request);
bool begin_next_team();

// The thread limit of the present task, from here on.
void limit_threads(Member& member, int thread_limit);

}  // namespace vicino::region
