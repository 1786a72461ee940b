// Leagues of many teams on the host, each with regions of its own and regions within those: all answers come,
// the limits hold, and the process has no more threads at once than the teams that run at the same time may
// have.
// test: uses threads=2,6
// test: variant nested OMP_MAX_ACTIVE_LEVELS=3
#include <omp.h>

#include "check.h"
#include "threads_now.h"

enum { kTeams = 300, kLimit = 4 };

static long inner(int team) {
  long sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 20; ++i) sum += i + team;
  return sum;
}

static long run_team(int team) {
  long sum = 0;
#pragma omp parallel for num_threads(8) reduction(+ : sum)
  for (int part = 0; part < 6; ++part) sum += inner(team);
  return sum;
}

static void check(long sum, int most) {
  CHECK_EQ(sum, 6L * (190 * kTeams + 20 * (kTeams * (kTeams - 1) / 2)));
  // As if a team of the largest size ran on each processor, and one had just ended.
  CHECK(most <= kLimit * (omp_get_num_procs() + 1));
}

static int larger(int a, int b) { return a > b ? a : b; }

static void on_host(void) {
  long sum = 0;
  int most = 0;
#pragma omp teams distribute num_teams(kTeams) thread_limit(kLimit) reduction(+ : sum) \
    reduction(max : most)
  for (int team = 0; team < kTeams; ++team) {
    sum += run_team(team);
    if (team % 20 == 0) most = larger(most, threads_now());
  }
  check(sum, most);
}

// The host is the only device.
static void on_device(void) {
  long sum = 0;
  int most = 0;
#pragma omp target teams distribute num_teams(kTeams) thread_limit(kLimit) reduction(+ : sum) \
    reduction(max : most) map(tofrom : sum, most)
  for (int team = 0; team < kTeams; ++team) {
    sum += run_team(team);
    if (team % 20 == 0) most = larger(most, threads_now());
  }
  check(sum, most);
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    on_host();
    on_device();
  }
  return check_result();
}
