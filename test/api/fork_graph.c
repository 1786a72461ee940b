// fork() while other threads run a graph: the child can run it, and ask what is known of it.
// test: uses threads=2
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
#include <pthread.h>
#include <stdint.h>
#include <vicino/vicino.h>

#include "../omp/check.h"
#include "../omp/child.h"

enum { kTasks = 4, kRunners = 2, kForks = 200 };

static vicino_graph *plain, *automatic;
static int enough;

static int count_tasks(const uint32_t* tasks, size_t count, void* data) {
  (void)tasks;
  __atomic_add_fetch((size_t*)data, count, __ATOMIC_RELAXED);
  return 0;
}

static void run_both(void) {
  const vicino_graph_options options = {2};
  size_t ran = 0;
  CHECK_EQ(vicino_graph_run(plain, count_tasks, &ran, &options), 0);
  CHECK_EQ(ran, kTasks);
  CHECK_EQ(vicino_graph_run(automatic, count_tasks, &ran, &options), 0);
  CHECK_EQ(ran, 2 * kTasks);
}

static void* run_on(void* unused) {
  while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) run_both();
  return unused;
}

static void* explain_on(void* unused) {
  char text[1000];
  while (!__atomic_load_n(&enough, __ATOMIC_RELAXED))
    CHECK(vicino_graph_explain(automatic, text, sizeof text) > 0);
  return unused;
}

static void run_in_turn(void) {
  char text[1000];
  for (int i = 0; i < 10; ++i) run_both();
  CHECK(vicino_graph_explain(automatic, text, sizeof text) > 0);
}

int main(void) {
  static const uint32_t first[kTasks + 1] = {0, 0, 1, 2, 4}, before[4] = {0, 0, 1, 2};
  plain = vicino_graph_new(kTasks, first, before, NULL, NULL, 0);
  automatic = vicino_graph_coarsen(plain, "automatic", NULL, 0);
  CHECK(plain != NULL && automatic != NULL);
  if (plain == NULL || automatic == NULL) return check_result();
  run_in_turn();
  pthread_t threads[kRunners + 1];
  for (int i = 0; i <= kRunners; ++i)
    CHECK_EQ(pthread_create(&threads[i], NULL, i < kRunners ? run_on : explain_on, NULL), 0);
  for (int i = 0; i < kForks && check_failures == 0; ++i) run_in_child(run_in_turn, 10);
  __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
  for (int i = 0; i <= kRunners; ++i) pthread_join(threads[i], NULL);
  vicino_graph_free(automatic);
  vicino_graph_free(plain);
  return check_result();
}
