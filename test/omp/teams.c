// Teams regions on the host: how many teams and threads there are, what each team may run, and that
// leagues do not change the tasks around them.
// test: peer gcc-12 libgomp's teams share the ICVs of the task that meets them; it waits for ever for a detached task outside of regions
// test: peer clang-19 libomp-19 does not tell a team the limit that omp_set_teams_thread_limit set
// test: variant counted VICINO_STATS=true
// test: variant cancellable OMP_CANCELLATION=true
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "check.h"

enum { kTeams = 5 };

// The compilers refuse most constructs and routines that lie directly in a teams region, but not in
// functions that are called there.
static int is_initial_task(void) {
  return omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && omp_get_level() == 0 &&
         !omp_in_parallel() && omp_get_team_num() < omp_get_num_teams();
}

static void numbers(void) {
  unsigned char seen[kTeams] = {0};
  int wrong = 0, teams = 0;
#pragma omp teams num_teams(kTeams) shared(seen) reduction(+ : wrong) reduction(max : teams)
  {
    hit(seen, omp_get_team_num());
    teams = omp_get_num_teams();
    wrong += !is_initial_task();
  }
  CHECK(teams >= 1);
  CHECK(teams <= kTeams);
  CHECK_EACH_ONCE(seen, teams);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

// Each team's threads know their team, and there are no more of them than the limit says.
static void parallel_in_teams(void) {
  int runs = 0, wrong = 0, teams = 0;
#pragma omp teams num_teams(kTeams) thread_limit(3) reduction(+ : runs, wrong) \
    reduction(max : teams)
  {
    int team = omp_get_team_num(), all = omp_get_num_teams(), threads = 0;
    teams = all;
#pragma omp parallel num_threads(4) reduction(+ : threads, wrong)
    {
      ++threads;
      wrong += omp_get_team_num() != team || omp_get_num_teams() != all || omp_get_level() != 1 ||
               omp_get_thread_limit() > 3;
    }
    wrong += threads > 3;
    ++runs;
  }
  CHECK_EQ(runs, teams);
  CHECK_EQ(wrong, 0);
}

// A team's ICVs are its own.
static int change_icvs(int threads) {
  int wrong = omp_get_thread_limit() > 7 || omp_get_max_threads() > threads;
  omp_set_num_threads(threads + 1 + omp_get_team_num());
  omp_set_schedule(omp_sched_guided, 5);
  return wrong;
}
static void own_icvs(int before) {
  if (before > 0) omp_set_num_threads(before);
  const int threads = omp_get_max_threads(), limit = omp_get_thread_limit();
  int wrong = 0;
#pragma omp teams num_teams(3) thread_limit(7) reduction(+ : wrong)
  wrong += change_icvs(threads);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(omp_get_max_threads(), threads);
  CHECK_EQ(omp_get_thread_limit(), limit);
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK(kind != omp_sched_guided || chunk != 5);
}

// The same in the usual league, which has one team and sets no limit.
static int change_max_threads(int threads) {
  const int wrong = omp_get_max_threads() != threads;
  omp_set_num_threads(threads + 1);
  return wrong || !is_initial_task() || omp_get_num_teams() != 1;
}
static void one_team(void) {
  const int threads = omp_get_max_threads();
  for (int i = 0; i < 3; ++i) {
    int wrong = 0;
#pragma omp teams num_teams(1) reduction(+ : wrong)
    wrong += change_max_threads(threads);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(omp_get_max_threads(), threads);
  }
}

// A team ends when its tasks have ended.
static void add_one(int* sum) { __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED); }
static void make_tasks(int* sum, int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    add_one(sum);
  }
}
static void tasks(void) {
  int runs[kTeams] = {0}, teams = 0;
#pragma omp teams num_teams(kTeams) shared(runs) reduction(max : teams)
  {
    int* mine = &runs[omp_get_team_num()];
    teams = omp_get_num_teams();
    make_tasks(mine, 10);
#pragma omp parallel
#pragma omp single
    make_tasks(mine, 20);
  }
  for (int t = 0; t < teams; ++t) CHECK_EQ(runs[t], 30);
}

struct late_event {
  omp_event_handle_t event;
  int is_made, is_fulfilled;
};
static void* fulfill_late(void* arg) {
  struct late_event* late = arg;
  while (!__atomic_load_n(&late->is_made, __ATOMIC_ACQUIRE)) sched_yield();
  usleep(5000);
  __atomic_store_n(&late->is_fulfilled, 1, __ATOMIC_RELAXED);
  omp_fulfill_event(late->event);
  return NULL;
}
static void make_detached_task(struct late_event* late) {
  omp_event_handle_t event = 0;
#pragma omp task detach(event)
  {
    late->event = event;
    __atomic_store_n(&late->is_made, 1, __ATOMIC_RELEASE);
  }
}
static void detached_tasks(void) {
  struct late_event late = {0};
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, fulfill_late, &late), 0);
#pragma omp teams num_teams(1) shared(late)
  make_detached_task(&late);
  CHECK(__atomic_load_n(&late.is_fulfilled, __ATOMIC_RELAXED));
  CHECK_EQ(pthread_join(other, NULL), 0);
}

// A league waits for its own tasks, not for those of the task around it.
static void tasks_around(void) {
  omp_event_handle_t event = 0;
  int done = 0, ends = 0, teams = 0;
#pragma omp task detach(event) shared(done)
  add_one(&done);
#pragma omp teams num_teams(2) reduction(+ : ends) reduction(max : teams)
  {
    make_tasks(&ends, 1);
    teams = omp_get_num_teams();
  }
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(done, 1);
  CHECK_EQ(ends, teams);
}

static int thread_limit(void) { return omp_get_thread_limit(); }
static void settings(void) {
  CHECK(omp_get_max_teams() >= 0);
  omp_set_num_teams(4);
  CHECK_EQ(omp_get_max_teams(), 4);
  omp_set_teams_thread_limit(2);
  CHECK_EQ(omp_get_teams_thread_limit(), 2);
  int teams = 0, most = 0;
#pragma omp teams reduction(+ : teams) reduction(max : most)
  {
    ++teams;
    most = thread_limit();
  }
  CHECK(teams >= 1);
  CHECK(teams <= 4);
  CHECK(most <= 2);
}

int main(void) {
  for (int n = 0; n < 3; ++n) {
    detached_tasks();
    one_team();
    numbers();
    parallel_in_teams();
    own_icvs(n);
    tasks();
    tasks_around();
  }
  settings();
  return check_result();
}
