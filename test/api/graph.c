// vicino/graph.h from C: what the functions return, ranges, messages that are cut, early ends.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vicino/vicino.h>

#include "../omp/check.h"

enum { kTasks = 1000 };

// A ladder: task i comes after i - 1 and i - 2.
static vicino_graph* ladder(void) {
  static uint32_t first[kTasks + 1], before[2 * kTasks];
  uint32_t edges = 0;
  for (uint32_t i = 0; i < kTasks; ++i) {
    first[i] = edges;
    if (i >= 1) before[edges++] = i - 1;
    if (i >= 2) before[edges++] = i - 2;
  }
  first[kTasks] = edges;
  char why[200] = "";
  vicino_graph* graph = vicino_graph_new(kTasks, first, before, NULL, why, sizeof why);
  CHECK(graph != NULL && why[0] == '\0');
  return graph;
}

static int next_of_ladder(const uint32_t* tasks, size_t count, void* data) {
  uint32_t* next = data;
  for (size_t i = 0; i < count; ++i) CHECK_EQ(tasks[i], (*next)++);
  return 0;
}

static int ends_at_500(const uint32_t* tasks, size_t count, void* data) {
  unsigned char* seen = data;
  for (size_t i = 0; i < count; ++i) {
    hit(seen, tasks[i]);
    if (tasks[i] == 500) return 77;
  }
  return 0;
}

static void runs(void) {
  vicino_graph* graph = ladder();
  CHECK_EQ(vicino_graph_tasks(graph), kTasks);
  CHECK_EQ(vicino_graph_edges(graph), 2 * kTasks - 3);
  CHECK_EQ(vicino_graph_aggregates(graph), kTasks);
  for (int threads = 0; threads <= 3; ++threads) {
    const vicino_graph_options options = {threads};
    uint32_t next = 0;
    CHECK_EQ(vicino_graph_run(graph, next_of_ladder, &next, &options), 0);
    CHECK_EQ(next, kTasks);
  }
  uint32_t next = 0;
  CHECK_EQ(vicino_graph_run(graph, next_of_ladder, &next, NULL), 0);

  unsigned char seen[kTasks] = {0};
  CHECK_EQ(vicino_graph_run(graph, ends_at_500, seen, NULL), 77);
  for (int i = 0; i < kTasks; ++i) CHECK_EQ(seen[i], i <= 500);
  next = 0;
  CHECK_EQ(vicino_graph_run(graph, next_of_ladder, &next, NULL), 0);
  CHECK_EQ(next, kTasks);

  const vicino_graph_options wrong = {-1};
  CHECK_EQ(vicino_graph_run(graph, NULL, NULL, NULL), EINVAL);
  CHECK_EQ(vicino_graph_run(graph, next_of_ladder, &next, &wrong), EINVAL);
  vicino_graph_free(graph);
  vicino_graph_free(NULL);
}

struct log {
  uint32_t next, step;  // the tasks' order
  int ranges, lists;
};

static int logs_range(uint32_t first, size_t count, int step, void* data) {
  struct log* log = data;
  CHECK(count > 0 && (step == 1 || step == -1));
  for (size_t i = 0; i < count; ++i, log->next += log->step)
    CHECK_EQ(first + (uint32_t)step * (uint32_t)i, log->next);
  ++log->ranges;
  return 0;
}

static int logs_list(const uint32_t* tasks, size_t count, void* data) {
  struct log* log = data;
  for (size_t i = 0; i < count; ++i, log->next += log->step) CHECK_EQ(tasks[i], log->next);
  ++log->lists;
  return 0;
}

static int ends_in_range(uint32_t first, size_t count, int step, void* data) {
  const uint32_t after_500 = 500 - first;
  CHECK_EQ(step, 1);
  for (size_t i = 0; i < count && i <= after_500; ++i) hit(data, first + i);
  return after_500 < count ? 78 : 0;
}

// Every task in order, as as many ranges and lists as expected; with a body of ranges alone, too.
static void logged(vicino_graph* graph, uint32_t first, uint32_t step, int threads, int ranges,
                   int lists) {
  const vicino_graph_options options = {threads};
  struct log log = {first, step, 0, 0}, alone = {first, step, 0, 0};
  CHECK_EQ(vicino_graph_run_ranges(graph, logs_range, logs_list, &log, &options), 0);
  CHECK_EQ(log.next, first + step * kTasks);
  CHECK_EQ(log.ranges, ranges);
  CHECK_EQ(log.lists, lists);
  CHECK_EQ(vicino_graph_run_ranges(graph, logs_range, NULL, &alone, &options), 0);
  CHECK_EQ(alone.next, first + step * kTasks);
  CHECK_EQ(alone.lists, 0);
}

static void runs_ranges(void) {
  vicino_graph* graph = ladder();
  vicino_graph* turned = vicino_graph_transpose(graph, NULL, 0);
  vicino_graph* tens = vicino_graph_coarsen(graph, "D(10)", NULL, 0);
  vicino_graph* turned_tens = vicino_graph_transpose(tens, NULL, 0);
  vicino_graph* twos = vicino_graph_coarsen(graph, "D(2)", NULL, 0);
  // One thread has all tasks in one call; a task each is a list; aggregates of ten are ranges.
  logged(graph, 0, 1, 1, 1, 0);
  logged(turned, kTasks - 1, -1, 1, 1, 0);
  logged(graph, 0, 1, 2, 0, kTasks);
  logged(tens, 0, 1, 2, kTasks / 10, 0);
  logged(turned_tens, kTasks - 1, -1, 2, kTasks / 10, 0);
  logged(twos, 0, 1, 2, 0, kTasks / 2);

  for (int threads = 1; threads <= 2; ++threads) {
    const vicino_graph_options options = {threads};
    unsigned char seen[kTasks] = {0};
    CHECK_EQ(vicino_graph_run_ranges(tens, ends_in_range, NULL, seen, &options), 78);
    for (int i = 0; i < kTasks; ++i) CHECK_EQ(seen[i], i <= 500);
  }
  logged(tens, 0, 1, 2, kTasks / 10, 0);

  const vicino_graph_options wrong = {-1};
  CHECK_EQ(vicino_graph_run_ranges(graph, NULL, logs_list, NULL, NULL), EINVAL);
  CHECK_EQ(vicino_graph_run_ranges(graph, logs_range, NULL, NULL, &wrong), EINVAL);
  vicino_graph* const all[] = {graph, turned, tens, turned_tens, twos};
  for (int i = 0; i < 5; ++i) vicino_graph_free(all[i]);
}

static void messages(void) {
  vicino_graph* graph = ladder();
  char why[20];
  memset(why, 'x', sizeof why);
  CHECK(vicino_graph_coarsen(graph, "Q", why, sizeof why) == NULL);
  CHECK_EQ(strlen(why), sizeof why - 1);
  CHECK(vicino_graph_coarsen(graph, "D(0)", NULL, 0) == NULL);
  vicino_graph* coarse = vicino_graph_coarsen(graph, NULL, NULL, 0);  // no pass
  CHECK(coarse != NULL);
  vicino_graph_free(graph);  // the other one does not need it

  char text[100];
  const size_t length = vicino_graph_explain(coarse, text, sizeof text);
  CHECK_EQ(length, strlen(text));
  CHECK(strcmp(text, "no pass: 1000 tasks in 1000 aggregates\n") == 0);
  CHECK_EQ(vicino_graph_explain(coarse, NULL, 0), length);
  size_t count = 5;
  CHECK(vicino_graph_aggregate(coarse, kTasks, &count) == NULL);
  CHECK_EQ(count, 0);
  const uint32_t* tasks = vicino_graph_aggregate(coarse, 17, &count);
  CHECK(tasks != NULL && count == 1 && tasks[0] == 17);
  vicino_graph_free(coarse);

  CHECK(vicino_graph_new(1, NULL, NULL, NULL, why, sizeof why) == NULL);
  const uint32_t first[] = {0, 1}, shifted[] = {1, 1};
  CHECK(vicino_graph_new(1, first, NULL, NULL, why, sizeof why) == NULL);
  CHECK(vicino_graph_new(1, shifted, first, NULL, why, sizeof why) == NULL);
  CHECK(vicino_graph_new(UINT32_MAX, first, first, NULL, why, sizeof why) == NULL);
}

static void writes_a_page(uint32_t task, vicino_graph_list* list, void* data) {
  vicino_graph_written(list, (char*)data + 4096 * (size_t)task, 4096);
}

static void nodes(void) {
  vicino_graph* graph = ladder();
  CHECK_EQ(vicino_graph_node(graph, 3), -1);
  CHECK_EQ(vicino_graph_set_node(graph, 3, 0, 1), 0);
  CHECK_EQ(vicino_graph_node(graph, 3), 0);
  CHECK_EQ(vicino_graph_node(graph, 4), -1);
  CHECK_EQ(vicino_graph_set_node(graph, 3, -2, 0), EINVAL);
  CHECK_EQ(vicino_graph_set_node(graph, kTasks, 0, 0), EINVAL);
  size_t pages = 0;
  char* data = aligned_alloc(4096, (size_t)kTasks * 4096);
  CHECK_EQ(vicino_graph_move_data(graph, NULL, data, &pages), EINVAL);
  CHECK_EQ(vicino_graph_move_data(graph, writes_a_page, data, &pages), 0);
  CHECK_EQ(pages, 1);
  CHECK_EQ(vicino_graph_place(graph, 0), 0);
  CHECK_EQ(vicino_graph_move_data(graph, writes_a_page, data, &pages), 0);
  CHECK_EQ(pages, kTasks);
  CHECK_EQ(vicino_graph_move_data(graph, writes_a_page, data, NULL), 0);
  free(data);
  vicino_graph_free(graph);
}

int main(void) {
  runs();
  runs_ranges();
  messages();
  nodes();
  return check_result();
}
