// teams.cpp: GCC's teams regions.
#include <algorithm>
#include <climits>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/region.hpp"
#include "region/league.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;

namespace {

int count_of(unsigned clause) { return static_cast<int>(std::min<unsigned>(clause, INT_MAX)); }

region::LeagueRequest request_of(unsigned teams, unsigned thread_limit) {
  return {.most_teams = count_of(teams), .thread_limit = count_of(thread_limit)};
}

[[gnu::noinline, gnu::cold]] void run_any(Function function, void* data, unsigned teams,
                                          unsigned thread_limit) {
  region::run_league(gomp::plain_call(function, data), request_of(teams, thread_limit));
}

[[gnu::always_inline]] inline void run(Function function, void* data, unsigned teams,
                                       unsigned thread_limit) {
  const auto body = [=] { function(data); };
  if (!region::run_as_one_team(request_of(teams, thread_limit), body)) [[unlikely]]
    run_any(function, data, teams, thread_limit);
}

}  // namespace

// Outside of target regions. 0: the program has no such clause.
VICINO_API void GOMP_teams_reg(Function function, void* data, unsigned teams, unsigned thread_limit,
                               unsigned /*flags*/) {
  VICINO_EITHER(run_any(function, data, teams, thread_limit),
                run(function, data, teams, thread_limit));
}

// In target regions the compiled code calls this before each team, until it answers false.
VICINO_API bool GOMP_teams4(unsigned least, unsigned most, unsigned thread_limit, bool first) {
  if (!first) return region::begin_next_team();
  region::begin_first_team({count_of(least), count_of(most), count_of(thread_limit)});
  return true;
}

// The form of old compilers: the code after the call is the only team.
VICINO_API void GOMP_teams(unsigned /*teams*/, unsigned thread_limit) {
  if (thread_limit > 0) region::limit_threads(region::me(), count_of(thread_limit));
}
