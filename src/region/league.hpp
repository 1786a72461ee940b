// league.hpp: teams regions on the host.
//
// The teams of a league run one after the other, on the thread that meets the region. OpenMP lets
// teams run in any order and gives them no way to wait for each other, so the program cannot tell.
// Each team can so have all of the machine for its parallel regions, and keeps the threads of the team
// before it.
//
// A team's initial task is the only member of a team of one at level 0, whatever regions lie around
// it. The team is a contention group: its thread limit counts its own threads alone.
#pragma once

#include "region/fork.hpp"

namespace vicino::region {

// What the clauses of a teams construct say; 0: nothing.
struct LeagueRequest {
  int least_teams = 0;
  int most_teams = 0;
  int thread_limit = 0;
};

// Runs call.run(member, call) as each team's initial task.
void run_league(const Call& call, const LeagueRequest& request);

// The same for callers that run the teams themselves: begins the first team of a league, or the next one;
// false when all teams have run, and the league has ended.
void begin_first_team(const LeagueRequest& request);
bool begin_next_team();

// The thread limit of the present task, from here on.
void limit_threads(Member& member, int thread_limit);

// nteams-var and teams-thread-limit-var of the host; 0: not set.
int nteams() noexcept;
int teams_thread_limit() noexcept;
void set_nteams(int teams) noexcept;
void set_teams_thread_limit(int threads) noexcept;

}  // namespace vicino::region
