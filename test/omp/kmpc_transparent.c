// Transparent tasks, by LLVM's entry points and the flag that clang 23 sets: random trees of tasks, most of
// them transparent, with dependences. Each pair that section 17.9.5 of OpenMP 6.0 orders has run in that order.
// test: uses threads=1,2,7
// test: peer gcc libgomp has no such entry points
// test: peer clang-19 libomp takes no notice of the flag
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "check.h"
#include "kmpc_tasks.h"

typedef struct {
  Task head;
  int node;
} NodeTask;

enum { kNodes = 40, kAddresses = 3, kMost = 2, kRounds = 150 };

// The nodes are numbered in the order in which one thread would begin them; node 0 is no task.
static struct {
  int parent, count, address[kMost], kind[kMost];
  bool transparent, undeferred, waits;
  atomic_int begun, ended;
} nodes[kNodes];
static int node_count;
static atomic_int moment;
static char memory[kAddresses];
static unsigned seed;

static unsigned drawn(unsigned below) {
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

static void draw_children(int parent, int depth) {
  const int children = 2 + (int)drawn(4);
  for (int c = 0; c < children && node_count < kNodes; ++c) {
    const int at = node_count++;
    const int kinds[] = {kIn, kInout, kInout, kMutex, kSet};
    nodes[at].parent = parent;
    nodes[at].count = (int)drawn(kMost + 1);
    for (int d = 0; d < nodes[at].count; ++d) {
      nodes[at].address[d] =
          d == 0 ? (int)drawn(kAddresses) : (nodes[at].address[0] + d) % kAddresses;
      nodes[at].kind[d] = kinds[drawn(5)];
    }
    nodes[at].transparent = drawn(4) != 0;
    nodes[at].undeferred = drawn(6) == 0;
    nodes[at].waits = drawn(4) == 0;
    if (depth < 3 && drawn(2) == 0) draw_children(at, depth + 1);
  }
}

static void generate(int node);

static int run(int gtid, Task* task) {
  (void)gtid;
  const int node = ((NodeTask*)task)->node;
  nodes[node].begun = ++moment;
  for (int child = node + 1; child < node_count; ++child)
    if (nodes[child].parent == node) generate(child);
  if (nodes[node].waits) kmpc.taskwait(NULL, kmpc.global_thread_num(NULL));
  for (volatile int spin = 0; spin < node % 3 * 2000; ++spin) {
  }
  nodes[node].ended = ++moment;
  return 0;
}

static void generate(int node) {
  const int gtid = kmpc.global_thread_num(NULL);
  Dependence list[kMost];
  const int count = nodes[node].count;
  for (int d = 0; d < count; ++d)
    list[d] = (Dependence){&memory[nodes[node].address[d]], 1, (uint8_t)nodes[node].kind[d]};
  const int flags = kTied | (nodes[node].transparent ? kTransparent : 0);
  Task* task = kmpc.task_alloc(NULL, gtid, flags, sizeof(NodeTask), 0, run);
  ((NodeTask*)task)->node = node;
  if (!nodes[node].undeferred) {
    kmpc.task_with_deps(NULL, gtid, task, count, list, 0, NULL);
    return;
  }
  if (count > 0) kmpc.wait_deps(NULL, gtid, count, list, 0, NULL);
  kmpc.task_begin_if0(NULL, gtid, task);
  run(gtid, task);
  kmpc.task_complete_if0(NULL, gtid, task);
}

// The order by the standard. `precedes`: a preceding dependence-compatible task; `before`: a
// predecessor.
static bool precedes[kNodes][kNodes], before[kNodes][kNodes];

enum { kNothing, kExcludes, kOrders };
static int relation(int a, int b) {
  int strongest = kNothing;
  for (int i = 0; i < nodes[a].count; ++i)
    for (int j = 0; j < nodes[b].count; ++j) {
      if (nodes[a].address[i] != nodes[b].address[j]) continue;
      const int one = nodes[a].kind[i], other = nodes[b].kind[j];
      const int now = one != other || one == kInout ? kOrders
                      : one == kMutex               ? kExcludes
                                                    : kNothing;
      if (now > strongest) strongest = now;
    }
  return strongest;
}

static bool is_preceding(int a, int b) {
  const int from = nodes[a].parent, to = nodes[b].parent;
  if (from == to) return true;
  if (to > 0 && nodes[to].transparent && a < to && precedes[a][to]) return true;
  if (from == 0 || !nodes[from].transparent) return false;
  return before[from][b] || (nodes[from].undeferred && nodes[from].parent == to && from < b);
}

static void find_order(void) {
  memset(precedes, 0, sizeof precedes);
  memset(before, 0, sizeof before);
  for (int b = 1; b < node_count; ++b)
    for (bool changed = true; changed;) {
      changed = false;
      for (int a = 1; a < b; ++a) {
        if (!precedes[a][b] && is_preceding(a, b)) changed = precedes[a][b] = true;
        bool is_before = precedes[a][b] && relation(a, b) == kOrders;
        for (int x = a + 1; x < b; ++x) is_before = is_before || (before[a][x] && before[x][b]);
        if (is_before && !before[a][b]) changed = before[a][b] = true;
      }
    }
}

static void check_order(unsigned first_seed) {
  for (int b = 1; b < node_count; ++b)
    for (int a = 1; a < b; ++a) {
      const bool in_order = nodes[a].ended < nodes[b].begun;
      const bool apart = in_order || nodes[b].ended < nodes[a].begun;
      const bool is_child = nodes[b].parent == a;
      const bool excludes = precedes[a][b] && relation(a, b) == kExcludes;
      const bool right = is_child || (before[a][b] ? in_order : !excludes || apart);
      if (!right) fprintf(stderr, "seed %u: tasks %d and %d\n", first_seed, a, b);
      CHECK(right);
    }
}

int main(void) {
  if (!find_kmpc()) return check_result();
  for (unsigned round = 1; round <= kRounds; ++round) {
    memset(nodes, 0, sizeof nodes);
    seed = round;
    node_count = 1;
    while (node_count < kNodes) draw_children(0, 1);
    moment = 0;
#pragma omp parallel
#pragma omp single
    for (int node = 1; node < node_count; ++node)
      if (nodes[node].parent == 0) generate(node);
    find_order();
    check_order(round);
  }
  return check_result();
}
