/* cancel.c: cancellation, which OMP_CANCELLATION has allowed. */
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kMany = 10000 };

static void of_loops(void) {
  int run = 0, after = 0;
#pragma omp parallel num_threads(kTeam)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < kMany; ++i) {
#pragma omp cancellation point for
      /* The thread of iteration 20 may have to wait for a CPU before it cancels. */
      if (i > 100) usleep(100);
      dawdle();
#pragma omp atomic
      ++run;
      if (i == 20) {
#pragma omp cancel for
      }
    }
#pragma omp atomic
    ++after;
  }
  check("cancel for", run < kMany, "all %d iterations ran", run);
  check_number("the region goes on", after, kTeam);
}

static void of_regions(void) {
  int after = 0;
#pragma omp parallel num_threads(kTeam)
  {
    if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
    }
    for (int i = 0; i < kMany; ++i) {
#pragma omp barrier
    }
#pragma omp atomic
    ++after;
  }
  check_number("cancel parallel", after, 0);
}

static void of_sections(void) {
  int after = 0;
#pragma omp parallel num_threads(kTeam)
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
#pragma omp atomic
        after += 100;
      }
#pragma omp section
      dawdle();
    }
#pragma omp atomic
    ++after;
  }
  check_number("cancel sections", after, kTeam);
}

static void of_tasks(void) {
  int run = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < kMany; ++i) {
#pragma omp task shared(run)
    {
#pragma omp cancellation point taskgroup
#pragma omp atomic
      ++run;
      if (i == 5) {
#pragma omp cancel taskgroup
      }
    }
  }
  check("cancel taskgroup", run > 0 && run < kMany, "%d of %d tasks ran", run, kMany);
}

void test_cancel(void) {
  check_number("cancellation is allowed", omp_get_cancellation(), 1);
  of_loops();
  of_regions();
  of_sections();
  of_tasks();
}
