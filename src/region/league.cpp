// league.cpp: leagues begin and end.
//
// Relaxed atomics: nteams-var and teams-thread-limit-var are single numbers, and order nothing.
#include "region/league.hpp"

#include <algorithm>
#include <memory>

#include "config/settings.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::Contention;
using team::Icvs;
using team::me;
using team::Team;
namespace {

// What the program has set for the device; kUnset: the settings hold.
constexpr int kUnset = -1;
constinit plat::atomic<int> nteams_var{kUnset}, teams_thread_limit_var{kUnset};

int value_or(const plat::atomic<int>& var, int setting) noexcept {
  const int set = var.load(std::memory_order_relaxed);
  return set == kUnset ? setting : set;
}

// One team is the library's choice: further teams would not run sooner.
int league_size(const LeagueRequest& request) noexcept {
  if (request.most_teams > 0) return request.most_teams;
  return std::max({1, nteams(), request.least_teams});
}

// What OMP_THREAD_LIMIT says holds for each team, too.
int limit_of(const Icvs& around, int clause) noexcept {
  const int wanted = clause > 0 ? clause : teams_thread_limit();
  return wanted > 0 ? std::min(wanted, around.thread_limit) : around.thread_limit;
}

// Where a team of a league comes from.
struct Place {
  int size;
  int number;
  int thread_limit;
};

// `group` lives as long as the team.
Member& begin_team(Icvs icvs, const Place& place, Contention& group) {
  icvs.league_size = place.size;
  icvs.team_num = place.number;
  icvs.thread_limit = place.thread_limit;
  return begin_initial(group, icvs);
}

}  // namespace

int nteams() noexcept { return value_or(nteams_var, config::settings().num_teams); }
int teams_thread_limit() noexcept {
  return value_or(teams_thread_limit_var, config::settings().teams_thread_limit);
}
void set_nteams(int teams) noexcept { nteams_var.store(teams, std::memory_order_relaxed); }
void set_teams_thread_limit(int threads) noexcept {
  teams_thread_limit_var.store(threads, std::memory_order_relaxed);
}

void limit_threads(Member& member, int thread_limit) {
  Icvs& icvs = member.writable_icvs();
  icvs.thread_limit = limit_of(icvs, thread_limit);
}

void run_league(const Call& call, const LeagueRequest& request) {
  const Icvs around = *me().icvs;
  Place place{league_size(request), 0, limit_of(around, request.thread_limit)};
  for (; place.number < place.size; ++place.number) {
    Contention group;
    call.run(begin_team(around, place, group), call);
    end_initial();
  }
}

void begin_first_team(const LeagueRequest& request) {
  const Icvs around = *me().icvs;
  begin_team(around, {league_size(request), 0, limit_of(around, request.thread_limit)},
             *new Contention);
}

bool begin_next_team() {
  const Team& last = *me().team;
  if (last.parent == nullptr) return false;  // a child of fork() has only its initial task
  const Place next{last.icvs.league_size, last.icvs.team_num + 1, last.icvs.thread_limit};
  std::unique_ptr<Contention> group(last.contention);
  end_initial();
  if (next.number == next.size) return false;
  begin_team(*me().icvs, next, *group.release());
  return true;
}

}  // namespace vicino::region
