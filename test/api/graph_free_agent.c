// A free agent that meets a graph runs all of it: it is no member of the team.
// test: uses OMP_THREADS_RESERVE=structured(2),free_agent(2)
#include <omp.h>
#include <stdint.h>
#include <unistd.h>
#include <vicino/graph.h>

#include "../omp/check.h"
#include "../omp/kmpc_tasks.h"

enum { kTasks = 8, kTimes = 50 };

static vicino_graph* graph;
static int ran;

static int body(const uint32_t* tasks, size_t count, void* data) {
  (void)tasks, (void)data;
#pragma omp atomic
  ran += (int)count;
  return 0;
}

static int run_graph(int gtid, Task* task) {
  (void)gtid, (void)task;
  usleep(500);
  CHECK_EQ(vicino_graph_run(graph, body, NULL, NULL), 0);
  return 0;
}

int main(void) {
  if (!find_kmpc()) return check_result();
  const uint32_t first[kTasks + 1] = {0};
  graph = vicino_graph_new(kTasks, first, NULL, NULL, NULL, 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kTimes; ++i) {
    const int gtid = kmpc.global_thread_num(NULL);
    kmpc.task(NULL, gtid, kmpc.task_alloc(NULL, gtid, kTied | kForPool, sizeof(Task), 0, run_graph));
  }
  CHECK_EQ(ran, kTimes * kTasks);
  vicino_graph_free(graph);
  return check_result();
}
