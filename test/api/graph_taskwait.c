// A graph that is run inside of a region, and bodies that wait for tasks of their own: they do not wait for the other
// runners of the graph, which wait for them.
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>
#include <stdint.h>
#include <unistd.h>
#include <vicino/graph.h>

#include "../omp/check.h"

enum { kTasks = 9, kTimes = 30 };

static int ran, children;

static int body(const uint32_t* tasks, size_t count, void* data) {
  (void)tasks, (void)data;
#pragma omp task
  {
    usleep(10);
#pragma omp atomic
    children += (int)count;
  }
#pragma omp taskwait
  usleep(500);
#pragma omp atomic
  ran += (int)count;
  return 0;
}

int main(void) {
  const uint32_t first[kTasks + 1] = {0};
  vicino_graph* graph = vicino_graph_new(kTasks, first, NULL, NULL, NULL, 0);
  for (int i = 0; i < kTimes; ++i) {
#pragma omp parallel
#pragma omp single
    CHECK_EQ(vicino_graph_run(graph, body, NULL, NULL), 0);
  }
  CHECK_EQ(ran, kTimes * kTasks);
  CHECK_EQ(children, kTimes * kTasks);
  vicino_graph_free(graph);
  return check_result();
}
