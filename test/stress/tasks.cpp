// test: uses OMP_MAX_TASK_PRIORITY=5
// test: variant drawn VICINO_TASK_CALLS=1
// test: variant pool -DFOR_POOL OMP_THREADS_RESERVE=structured(1),free_agent(3) clang-19
// test: peer gcc-12 outside of regions it frees a taskgroup's reduction that lies on the stack
// test: peer clang-19 an assertion of its own fails: a task that is to run is not running
// tasks.cpp: random trees of tasks, drawn from a seed.
//
// Why    Feature programs have few tasks and wait for them at once. Faults of deques, pending
//        counts and termination detectors appear when parents end before their children, when
//        threads fall asleep between tasks, when the next barrier or region comes while a thread
//        still looks for tasks, and when a task waits for something from elsewhere: a dependence,
//        an event, another thread's region.
// How    A tree is a function of its seed: each task draws what it does and how many children it
//        has, and adds its own value to the region's sum. Its children may be plain tasks, depend
//        on each other, have events, be a taskloop's iterations or take part in a reduction. A task
//        that waits for its children or for a group checks that all of them have ended. The
//        sum is checked when the region ends. Several threads of the program have regions at once.
// Usage  tasks [SEED|random [SECONDS [ROOTS]]]
//        At least eight regions run, whatever the time. A failure prints its seed and region. A run
//        that hangs has printed its seed at the start.
#include <omp.h>
#include <sched.h>

#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "../omp/check.h"
#include "order.hpp"
#include "outside.hpp"
#include "plan.hpp"

#ifdef FOR_POOL
// Each task gets the flag of threadset(omp_pool), a clause that the compilers here do not know.
#include "../omp/for_pool.h"
#endif

namespace {

constexpr int kMostChildren = 12;

// All roots share it.
Outside& outside() {
  static Outside one;
  return one;
}

struct Tree {
  long done = 0;   // tasks that have ended
  long value = 0;  // the sum of their values
};

enum class Way { kTied, kUntied, kFinal, kAtOnce, kUrgent, kCount };
enum class End { kLeave, kWait, kGroup, kYield, kOrdered, kEvents, kLoop, kReduction, kCount };

struct Node {
  Node(uint64_t seed, int depth) : draw(seed) {
    value = draw.below(1000);
    // Tasks have few children, so that trees are deep; the draw makes the trees end.
    children = depth <= 0 ? 0 : draw.below(4) ? draw.below(5) : draw.below(kMostChildren);
    end = End(draw.below(int(End::kCount)));
    region = draw.below(40) == 0 ? 1 + draw.below(3) : 0;
    lag = draw.below(50) == 0;
  }
  Way way_of_child() { return draw.below(3) ? Way::kTied : Way(draw.below(int(Way::kCount))); }
  static uint64_t child(uint64_t seed, int i) { return mix(seed, uint64_t(i) + 1); }

  Draw draw;
  int value, children, region;
  End end;
  bool lag;
};

// Computes the sums of a tree without tasks.
Tree expected(uint64_t seed, int depth) {
  const Node node(seed, depth);
  Tree sum{1, node.value};
  for (int i = 0; i < node.children; ++i) {
    const Tree below = expected(Node::child(seed, i), depth - 1);
    sum.done += below.done;
    sum.value += below.value;
  }
  return sum;
}

void count(Tree& tree, const Node& node) {
  __atomic_fetch_add(&tree.value, node.value, __ATOMIC_RELAXED);
  __atomic_fetch_add(&tree.done, 1, __ATOMIC_RELAXED);
}

void grow(uint64_t seed, int depth, Tree& tree);

// `ended` counts the children that have ended.
void spawn(Way way, uint64_t seed, int depth, Tree& tree, int* ended) {
  switch (way) {
    case Way::kUntied:
#pragma omp task untied shared(tree) firstprivate(seed, depth, ended)
    {
      grow(seed, depth, tree);
#pragma omp taskyield
      __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
    }
      return;
    case Way::kFinal:
#pragma omp task final(true) shared(tree) firstprivate(seed, depth, ended)
    {
      grow(seed, depth, tree);
      __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
    }
      return;
    case Way::kAtOnce:
#pragma omp task if (0) shared(tree) firstprivate(seed, depth, ended)
    {
      grow(seed, depth, tree);
      __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
    }
      return;
    case Way::kUrgent: {
      const int priority = int(seed % 7);  // more than the most, too
#pragma omp task priority(priority) shared(tree) firstprivate(seed, depth, ended)
      {
        grow(seed, depth, tree);
        __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
      }
    }
      return;
    default:
#pragma omp task shared(tree) firstprivate(seed, depth, ended)
    {
      grow(seed, depth, tree);
      __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
    }
  }
}

// A child that may outlive its parent.
void spawn_and_leave(uint64_t seed, int depth, Tree& tree) {
#pragma omp task shared(tree) firstprivate(seed, depth)
  grow(seed, depth, tree);
}

// Inside a task: a team whose members generate one part of the children each.
void region_below(uint64_t seed, int depth, Tree& tree, const Node& node) {
  const int children = node.children;
#pragma omp parallel num_threads(node.region) shared(tree)
  {
#pragma omp for nowait
    for (int i = 0; i < children; ++i) spawn_and_leave(Node::child(seed, i), depth - 1, tree);
#pragma omp barrier
#pragma omp single nowait
    spawn_and_leave(mix(seed, 77), 0, tree);
  }
  // The region's additional task is no part of the tree.
  const Node more(mix(seed, 77), 0);
  __atomic_fetch_sub(&tree.value, more.value, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&tree.done, 1, __ATOMIC_RELAXED);
}

void children_of(uint64_t seed, int depth, Tree& tree, Node& node, int* ended) {
  for (int i = 0; i < node.children; ++i)
    spawn(node.way_of_child(), Node::child(seed, i), depth - 1, tree, ended);
}

void fulfil(omp_event_handle_t event, int* fulfilled) {
  __atomic_fetch_add(fulfilled, 1, __ATOMIC_RELAXED);
  omp_fulfill_event(event);
}

// A child's turns among the children that depend on the same two objects.
struct Place {
  Object *a, *b;
  Turn in_a, in_b;

  void begin() const {
    a->begin(in_a);
    b->begin(in_b);
  }
  void end() const {
    b->end(in_b);
    a->end(in_a);
  }
};

// The task may be undeferred or final, or end by its event: its successors see no difference.
void spawn_in_order(uint64_t seed, int depth, Tree& tree, Place place, int draw) {
  omp_depend_t first, second;
  name_access(first, place.in_a.access, place.a->word());
  name_access(second, place.in_b.access, place.b->word());
  const bool deferred = draw != 0, last = draw == 1;
  if (draw == 2) {
    omp_event_handle_t event = {};
#pragma omp task detach(event) depend(depobj : first, second) shared(tree) \
    firstprivate(seed, depth, place)
    {
      place.begin();
      grow(seed, depth, tree);
      outside().soon([event, place] {
        place.end();
        omp_fulfill_event(event);
      });
    }
  } else {
#pragma omp task if (deferred) final(last) priority(draw) depend(depobj : first, second) \
    shared(tree) firstprivate(seed, depth, place)
    {
      place.begin();
      grow(seed, depth, tree);
      place.end();
    }
  }
#pragma omp depobj(first) destroy
#pragma omp depobj(second) destroy
}

// Children that depend on each other: each depends on two of three objects.
void children_in_order(uint64_t seed, int depth, Tree& tree, Node& node) {
  Object objects[3];
  int on[kMostChildren][2], number[kMostChildren][2];
  for (int i = 0; i < node.children; ++i) {
    on[i][0] = node.draw.below(3);
    on[i][1] = (on[i][0] + 1 + node.draw.below(2)) % 3;
    for (int k = 0; k < 2; ++k) {
      number[i][k] = objects[on[i][k]].planned();
      objects[on[i][k]].plan(Access(node.draw.below(kAccesses)));
    }
  }
  for (int i = 0; i < node.children; ++i) {
    Object &a = objects[on[i][0]], &b = objects[on[i][1]];
    const Place place = {&a, &b, a.turn(number[i][0]), b.turn(number[i][1])};
    spawn_in_order(Node::child(seed, i), depth - 1, tree, place, node.draw.below(9));
  }
  if (node.draw.below(3) == 0) {
    int& word = objects[0].word();
#pragma omp taskwait depend(inout : word)
    objects[0].check_all_ended();
  }
#pragma omp taskwait
  for (Object& object : objects) object.check_all_ended();
}

// Children that end when their events are fulfilled; the draw chooses the thread or task
// that fulfils each. A final task waits for the end of a child before it continues, so nothing that
// it does later can fulfil that child's event.
void children_with_events(uint64_t seed, int depth, Tree& tree, Node& node) {
  enum { kByItself, kByOutsideThen, kByParent, kBySibling, kByOutside, kByInner, kCount };
  int fulfilled = 0;
  int* const count = &fulfilled;
  for (int i = 0; i < node.children; ++i) {
    const int by = node.draw.below(omp_in_final() ? int(kByParent) : int(kCount));
    omp_event_handle_t event = {};
#pragma omp task detach(event) shared(tree) firstprivate(seed, depth, i, by, count)
    {
      grow(Node::child(seed, i), depth - 1, tree);
      if (by == kByItself) fulfil(event, count);
      if (by == kByOutsideThen) outside().soon([=] { fulfil(event, count); });
    }
    if (by == kByParent) fulfil(event, count);
    if (by == kByOutside) outside().soon([=] { fulfil(event, count); });
    if (by == kBySibling) {
#pragma omp task firstprivate(event, count)
      fulfil(event, count);
    }
    if (by == kByInner) {
#pragma omp parallel num_threads(2) firstprivate(event, count)
#pragma omp single
#pragma omp task firstprivate(event, count)
      fulfil(event, count);
    }
  }
#pragma omp taskwait
  CHECK_EQ(__atomic_load_n(&fulfilled, __ATOMIC_RELAXED), node.children);
}

void children_by_loop(uint64_t seed, int depth, Tree& tree, Node& node) {
  const int children = node.children, size = 1 + node.draw.below(3);
  int ended = 0;
  switch (node.draw.below(4)) {
    case 0:
#pragma omp taskloop grainsize(size) shared(tree, ended) firstprivate(seed, depth)
      for (int i = 0; i < children; ++i) {
        grow(Node::child(seed, i), depth - 1, tree);
        __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
      }
      break;
    case 1:
#pragma omp taskloop num_tasks(size) reduction(+ : ended) shared(tree) firstprivate(seed, depth)
      for (int i = 0; i < children; ++i) {
        grow(Node::child(seed, i), depth - 1, tree);
        ++ended;
      }
      break;
    case 2:
#pragma omp taskloop nogroup untied shared(tree, ended) firstprivate(seed, depth)
      for (int i = 0; i < children; ++i) {
        grow(Node::child(seed, i), depth - 1, tree);
        __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
      }
#pragma omp taskwait
      break;
    default:
#pragma omp taskloop nogroup num_tasks(size) shared(tree) firstprivate(seed, depth)
      for (int i = 0; i < children; ++i) grow(Node::child(seed, i), depth - 1, tree);
      return;
  }
  CHECK_EQ(ended, children);
}

void children_with_reduction(uint64_t seed, int depth, Tree& tree, Node& node) {
  long sum = 3;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < node.children; ++i)
#pragma omp task in_reduction(+ : sum) shared(tree) firstprivate(seed, depth, i)
  {
    grow(Node::child(seed, i), depth - 1, tree);
    sum += 1L << i;
  }
  CHECK_EQ(sum, 3 + (1L << node.children) - 1);
}

void children_and_leave(uint64_t seed, int depth, Tree& tree, const Node& node) {
  for (int i = 0; i < node.children; ++i) spawn_and_leave(Node::child(seed, i), depth - 1, tree);
}

void children_in_group(uint64_t seed, int depth, Tree& tree, const Node& node) {
  Tree before = {};
#pragma omp taskgroup
  children_and_leave(seed, depth, before, node);
  // All descendants have ended, not only the children.
  const Tree below = expected(seed, depth);
  CHECK_EQ(before.done, below.done - 1);
  CHECK_EQ(before.value, below.value - node.value);
  __atomic_fetch_add(&tree.value, before.value, __ATOMIC_RELAXED);
  __atomic_fetch_add(&tree.done, before.done, __ATOMIC_RELAXED);
}

void children_and_wait(uint64_t seed, int depth, Tree& tree, Node& node) {
  int ended = 0;
  children_of(seed, depth, tree, node, &ended);
  if (node.end == End::kYield) {
#pragma omp taskyield
  }
#pragma omp taskwait
  CHECK_EQ(__atomic_load_n(&ended, __ATOMIC_RELAXED), node.children);
}

void children_below(uint64_t seed, int depth, Tree& tree, Node& node) {
  if (node.children == 0) return;
  if (node.region > 0) return region_below(seed, depth, tree, node);
  switch (node.end) {
    case End::kLeave:
      return children_and_leave(seed, depth, tree, node);
    case End::kGroup:
      return children_in_group(seed, depth, tree, node);
    case End::kOrdered:
      return children_in_order(seed, depth, tree, node);
    case End::kEvents:
      return children_with_events(seed, depth, tree, node);
    case End::kLoop:
      return children_by_loop(seed, depth, tree, node);
    case End::kReduction:
      return children_with_reduction(seed, depth, tree, node);
    default:
      return children_and_wait(seed, depth, tree, node);
  }
}

void grow(uint64_t seed, int depth, Tree& tree) {
  Node node(seed, depth);
  children_below(seed, depth, tree, node);
  if (node.lag) sched_yield();
  count(tree, node);
}

// Trees whose roots are generated by a region's constructs.
struct Forest {
  Tree got, want;
  void expect(uint64_t seed, int depth) {
    const Tree one = expected(seed, depth);
    want.done += one.done;
    want.value += one.value;
  }
};

void by_all(uint64_t seed, int depth, Forest& forest, int trees) {
#pragma omp for nowait schedule(dynamic)
  for (int i = 0; i < trees; ++i) grow(mix(seed, uint64_t(i)), depth, forest.got);
}

void region(uint64_t seed, int most) {
  Draw draw(seed);
  const int threads = 1 + (draw.below(3) ? draw.below(std::min(most, 5)) : draw.below(most));
  const int phases = 1 + draw.below(4), depth = 1 + draw.below(5);
  const int kind = draw.below(3);
  Forest forest;
#pragma omp parallel num_threads(threads) shared(forest)
  for (int phase = 0; phase < phases; ++phase) {
    const uint64_t mine = mix(seed, uint64_t(phase) + 100);
    if (kind == 0) {
      by_all(mine, depth, forest, 6);
    } else if (kind == 1) {
#pragma omp single nowait
      spawn_and_leave(mix(mine, 0), depth + 1, forest.got);
    } else {
#pragma omp master
      grow(mix(mine, 0), depth + 1, forest.got);
    }
    // The last phase's tasks meet the end of the region.
    if (phase + 1 == phases) continue;
#pragma omp barrier
#pragma omp master
    CHECK_EQ(__atomic_load_n(&forest.got.done, __ATOMIC_RELAXED) > phase, true);
  }
  for (int phase = 0; phase < phases; ++phase) {
    const uint64_t mine = mix(seed, uint64_t(phase) + 100);
    if (kind == 0)
      for (int i = 0; i < 6; ++i) forest.expect(mix(mine, uint64_t(i)), depth);
    else
      forest.expect(mix(mine, 0), depth + 1);
  }
  CHECK_EQ(forest.got.done, forest.want.done);
  CHECK_EQ(forest.got.value, forest.want.value);
}

// Tasks outside any region.
void alone(uint64_t seed) {
  Forest forest;
#pragma omp taskgroup
  {
    grow(seed, 3, forest.got);
#pragma omp taskwait
  }
  forest.expect(seed, 3);
#pragma omp taskgroup
  spawn_and_leave(mix(seed, 1), 3, forest.got);
  forest.expect(mix(seed, 1), 3);
  CHECK_EQ(forest.got.done, forest.want.done);
  CHECK_EQ(forest.got.value, forest.want.value);
}

// One thread of the program runs regions one after another until the time is up or one fails.
void root(uint64_t seed, double end, int most, uint64_t least) {
  for (uint64_t r = 0; r < least || omp_get_wtime() < end; ++r) {
    region(mix(seed, r), most);
    if (r % 16 == 0) alone(mix(seed, r));
    if (check_result()) {
      fprintf(stderr, "seed %llu, region %llu\n", (unsigned long long)seed, (unsigned long long)r);
      exit(1);
    }
  }
}

// Threads that begin and end with each slice of time, like other threads with teams in a program.
void other_roots(uint64_t seed, double end, int most) {
  for (uint64_t k = 0; k == 0 || omp_get_wtime() < end; ++k)
    std::thread([=] {
      omp_set_max_active_levels(2);
      root(mix(seed, k), std::min(end, omp_get_wtime() + 0.2), std::min(most, 4), 1);
    }).join();
}

uint64_t seed_of(const char* text) {
  const bool random = strcmp(text, "random") == 0;
  return random ? std::random_device()() : strtoull(text, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = seed_of(argc > 1 ? argv[1] : "1");
  fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
  const double seconds = argc > 2 ? atof(argv[2]) : 5;
  const int roots = argc > 3 ? atoi(argv[3]) : 3;
  const int most = omp_get_max_threads();
  const double end = omp_get_wtime() + seconds;
  std::vector<std::thread> others;
  for (int i = 1; i < roots; ++i)
    others.emplace_back(other_roots, mix(seed, uint64_t(i) << 32), end, most);
  omp_set_max_active_levels(2);
  root(seed, end, most, 8);
  for (std::thread& thread : others) thread.join();
  return check_result();
}
