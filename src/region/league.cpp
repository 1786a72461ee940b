// league.cpp: leagues begin and end.
//
// Relaxed atomics: nteams-var and teams-thread-limit-var are single numbers, and order nothing.
#include "region/league.hpp"

#include <algorithm>
#include <memory>

#include "config/settings.hpp"
#include "event/regions.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::Contention;
using team::Icvs;
using team::me;
using team::Team;
namespace {

// What the program has set for the device; 0: the settings hold.
constinit plat::atomic<int> nteams_var{0}, teams_thread_limit_var{0};

int value_or(const plat::atomic<int>& var, int setting) noexcept {
  const int set = var.load(std::memory_order_relaxed);
  return set != 0 ? set : setting;
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

// Which team of a league it is, and what its thread limit is.
struct LeagueTeam {
  int size;
  int number;
  int thread_limit;
};

LeagueTeam first_team(const LeagueRequest& request, const Icvs& around) noexcept {
  return {league_size(request), 0, limit_of(around, request.thread_limit)};
}

// `group` lives as long as the team.
Member& begin_team(Icvs icvs, const LeagueTeam& its, Contention& group) {
  icvs.league_size = its.size;
  icvs.team_num = its.number;
  icvs.thread_limit = its.thread_limit;
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
  const event::League league(league_size(request));
  for (LeagueTeam its = first_team(request, around); its.number < its.size; ++its.number) {
    Contention group;
    call.run(begin_team(around, its, group), call);
    end_initial();
  }
}

void begin_first_team(const LeagueRequest& request) {
  const Icvs around = *me().icvs;
  begin_team(around, first_team(request, around), *new Contention);
}

bool begin_next_team() {
  const Team& last = *me().team;
  if (last.parent == nullptr) return false;  // a child of fork() has only its initial task
  const LeagueTeam next{last.icvs.league_size, last.icvs.team_num + 1, last.icvs.thread_limit};
  std::unique_ptr<Contention> group(last.contention);
  end_initial();
  if (next.number == next.size) return false;
  begin_team(*me().icvs, next, *group.release());
  return true;
}

}  // namespace vicino::region
