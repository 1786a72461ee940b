// 5.0: `teams` on the host
// test: omp/teams
#include <omp.h>

int main(void) {
  int teams = 0;
#pragma omp teams num_teams(3)
#pragma omp parallel num_threads(1)
  {
#pragma omp atomic
    ++teams;
  }
  return teams < 1 || teams > 3;
}
