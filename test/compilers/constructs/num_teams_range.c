// 5.1: `num_teams(lower : upper)`
// test: omp/teams
#include <omp.h>

int main(void) {
  int teams = 0;
#pragma omp teams num_teams(2 : 3)
#pragma omp parallel num_threads(1)
  {
#pragma omp atomic
    ++teams;
  }
  return teams < 2 || teams > 3;
}
