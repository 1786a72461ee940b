// A target region with teams: distribute, parallel loops, reductions over teams, and what each team sees.
#include <omp.h>

#include "check.h"

enum { kN = 1000 };

static void combined(void) {
  int a[kN];
  long sum = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(2) map(from : a)
  for (int i = 0; i < kN; ++i) a[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < kN; ++i) sum += a[i];
  CHECK_EQ(sum, (long)kN * (kN - 1) / 2);
}

static void each_team(void) {
  int seen[4] = {0, 0, 0, 0}, teams[4] = {0, 0, 0, 0};
#pragma omp target map(tofrom : seen, teams)
#pragma omp teams num_teams(4) thread_limit(3)
  {
    const int team = omp_get_team_num();
    teams[team % 4] = omp_get_num_teams();
#pragma omp parallel num_threads(8)
    {
      CHECK(omp_get_num_threads() <= 3);
      CHECK_EQ(omp_get_team_num(), team);
#pragma omp single
      seen[team % 4] += 1;
    }
  }
  CHECK(teams[0] >= 1 && teams[0] <= 4);
  for (int team = 0; team < teams[0]; ++team) {
    CHECK_EQ(seen[team], 1);
    CHECK_EQ(teams[team], teams[0]);
  }
}

// The region is not a part of the league around it, and the other way round.
static void afterwards(void) {
  int league = -1, number = -1;
#pragma omp target map(from : league, number)
  {
    league = omp_get_num_teams();
    number = omp_get_team_num();
  }
  CHECK_EQ(league, 1);
  CHECK_EQ(number, 0);
  CHECK_EQ(omp_get_num_teams(), 1);
}

int main(void) {
  combined();
  each_team();
  afterwards();
#pragma omp parallel num_threads(3)
  {
    each_team();
    combined();
  }
  return check_result();
}
