// VICINO_COARSEN stands in the place of the program's coarse strings.
// test: variant automatic VICINO_COARSEN=automatic
// test: variant passes VICINO_COARSEN=SF(3)
// test: variant none VICINO_COARSEN=none
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vicino/graph.h>

#include "../omp/check.h"

enum { kTasks = 12 };

static int run_once(const uint32_t* tasks, size_t count, void* data) {
  for (size_t i = 0; i < count; ++i) hit(data, tasks[i]);
  return 0;
}

int main(void) {
  const uint32_t first[kTasks + 1] = {0};
  char why[100] = "";
  vicino_graph* fine = vicino_graph_new(kTasks, first, NULL, NULL, why, sizeof why);
  vicino_graph* coarse = vicino_graph_coarsen(fine, "F(4)", why, sizeof why);
  CHECK(fine != NULL && coarse != NULL);
  const char* set = getenv("VICINO_COARSEN");
  const char* text = set == NULL                     ? "F(4): 12 tasks in 4 aggregates\n"
                     : strcmp(set, "automatic") == 0 ? "automatic: the graph has not run yet\n"
                     : strcmp(set, "none") == 0      ? "no pass: 12 tasks in 12 aggregates\n"
                                                     : "SF(3): 12 tasks in 3 aggregates\n";
  char said[100];
  vicino_graph_explain(coarse, said, sizeof said);
  if (strcmp(said, text) != 0) fprintf(stderr, "%s instead of %s\n", said, text);
  CHECK(strcmp(said, text) == 0);
  unsigned char seen[kTasks] = {0};
  CHECK_EQ(vicino_graph_run(coarse, run_once, seen, NULL), 0);
  CHECK_EACH_ONCE(seen, kTasks);
  vicino_graph_free(coarse);
  vicino_graph_free(fine);
  return check_result();
}
