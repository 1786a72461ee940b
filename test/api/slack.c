// vicino/slack.h: a wait makes more of the loop before it static, and a wait of nothing takes that
// back. A call for which there is no loop does nothing.
#include <omp.h>
#include <pthread.h>
#include <unistd.h>
#include <vicino/forall.h>
#include <vicino/vicino.h>

#include "../omp/check.h"

static void* without_openmp(void* unused) {
  vicino_slack_add(1000);
  return unused;
}

/* The fraction with which the execution after this one begins. */
static double run_and_wait(uint64_t ns) {
  double next = -1;
  for (int round = 0; round < 2; ++round) {
    if (round == 1) vicino_slack_add(ns);
#pragma omp parallel
    {
      const int tid = omp_get_thread_num(), p = omp_get_num_threads();
      double f = vicino_predict_static_fraction();
#pragma omp barrier
      FORALL_BEGIN("mixed,f=slack", tid, p, 0, 64, begin, end, f)
      for (int i = begin; i < end; ++i) usleep(20);
      FORALL_END()
      if (tid == 0) next = f;
    }
  }
  return next;
}

int main(void) {
  vicino_slack_add(5);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, without_openmp, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  const uint64_t hour = UINT64_C(3600000000000);
  const double waited = run_and_wait(hour), not_waited = run_and_wait(0);
  if (omp_get_max_threads() > 1) {
    CHECK(waited == 1);
    CHECK(not_waited < 1);
  }
  return check_result();
}
