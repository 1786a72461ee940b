// teams.cpp: OpenMP's routines on leagues of teams, for C and for Fortran.
#include <algorithm>
#include <climits>
#include <cstdint>

#include "abi/omp/get.hpp"
#include "base/say.hpp"
#include "region/league.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;

namespace {

void set_num_teams(int n) {
  if (n < 1) return say("omp_set_num_teams(%d): not positive; ignored", n);
  region::set_nteams(n);
}
void set_teams_thread_limit(int n) {
  if (n < 1) return say("omp_set_teams_thread_limit(%d): not positive; ignored", n);
  region::set_teams_thread_limit(n);
}

}  // namespace

VICINO_GET(int, omp_get_num_teams, region::icvs_now().league_size)
VICINO_GET(int, omp_get_team_num, region::icvs_now().team_num)
VICINO_GET(int, omp_get_max_teams, region::nteams())
VICINO_GET(int, omp_get_teams_thread_limit, region::teams_thread_limit())
VICINO_SET(set_num_teams, int)
VICINO_SET(set_teams_thread_limit, int)
VICINO_INTEGER8(void, set_num_teams, set_num_teams)
VICINO_INTEGER8(void, set_teams_thread_limit, set_teams_thread_limit)
