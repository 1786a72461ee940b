// An automatic graph asks how many threads it would have. Under a limit on threads the question
// must not take any: later regions get as many as before.
// test: variant limited OMP_THREAD_LIMIT=2
#include <omp.h>
#include <stdint.h>
#include <vicino/graph.h>

#include "../omp/check.h"

enum { kTasks = 100 };

static int run_nothing(const uint32_t* tasks, size_t count, void* data) {
  (void)tasks, (void)count, (void)data;
  return 0;
}

static int threads_of_a_region(void) {
  int threads = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

int main(void) {
  const uint32_t first[kTasks + 1] = {0};
  vicino_graph* fine = vicino_graph_new(kTasks, first, NULL, NULL, NULL, 0);
  vicino_graph* automatic = vicino_graph_coarsen(fine, "automatic", NULL, 0);
  const int before = threads_of_a_region();
  for (int i = 0; i < 5; ++i) CHECK_EQ(vicino_graph_run(automatic, run_nothing, NULL, NULL), 0);
  CHECK_EQ(threads_of_a_region(), before);
  vicino_graph_free(automatic);
  vicino_graph_free(fine);
  return check_result();
}
