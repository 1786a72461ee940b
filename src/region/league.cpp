// league.cpp: leagues begin and end.
//
// Relaxed atomics: nteams-var and teams-thread-limit-var are single numbers, and order nothing.
#include "region/league.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "config/settings.hpp"
#include "event/regions.hpp"
#include "region/roots.hpp"
#include "team/contention.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::Contention;
using team::Icvs;
using team::Team;
namespace {

// What the program has set for the device; 0: the settings hold.
constinit plat::atomic<int> nteams_var{0};

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

void tell(Icvs& icvs, const LeagueTeam& its) noexcept {
  icvs.league_size = its.size;
  icvs.team_num = its.number;
  icvs.thread_limit = its.thread_limit;
}

// `group` lives as long as the team.
Member& begin_team(Icvs icvs, const LeagueTeam& its, Contention& group) {
  tell(icvs, its);
  return begin_initial(group, icvs);
}

// Runs the league in the thread's initial team, which costs less than a team for each of its teams.
void stand_in(Member& initial, const Call& call, LeagueTeam its) {
  Icvs& icvs = initial.team->icvs;
  if (initial.icvs != &icvs) icvs = *std::exchange(initial.icvs, &icvs);
  const LeagueTeam around{icvs.league_size, icvs.team_num, icvs.thread_limit};
  for (; its.number < its.size; ++its.number) {
    tell(icvs, its);
    call.run(initial, call);
    end_standing_in(initial);
  }
  tell(icvs, around);
}

}  // namespace

constinit plat::atomic<int> detail::teams_thread_limit{-1};

// If the program sets the limit at the same time, what it sets holds.
int detail::ask_for_teams_thread_limit() noexcept {
  int limit = -1;
  const int setting = config::settings().teams_thread_limit;
  return teams_thread_limit.compare_exchange_strong(limit, setting, std::memory_order_relaxed)
             ? setting
             : limit;
}

int nteams() noexcept {
  const int set = nteams_var.load(std::memory_order_relaxed);
  return set != 0 ? set : config::settings().num_teams;
}
void set_nteams(int teams) noexcept { nteams_var.store(teams, std::memory_order_relaxed); }
void set_teams_thread_limit(int threads) noexcept {
  detail::teams_thread_limit.store(threads, std::memory_order_relaxed);
}

void limit_threads(Member& member, int thread_limit) {
  Icvs& icvs = member.writable_icvs();
  icvs.thread_limit = limit_of(icvs, thread_limit);
}

void run_league(const Call& call, const LeagueRequest& request) {
  Member& member = me();
  LeagueTeam its = first_team(request, *member.icvs);
  if (may_stand_in(member)) return stand_in(member, call, its);
  const Icvs around = *member.icvs;
  const event::League league(its.size);
  for (; its.number < its.size; ++its.number) {
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
