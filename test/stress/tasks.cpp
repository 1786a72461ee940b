// tasks.cpp: random trees of tasks, from a seed.
//
// Why    Feature programs have few tasks and wait for them at once. Faults of deques, families and
//        ledgers appear when parents end before their children, when threads fall asleep between
//        tasks, and when the next barrier or region comes while somebody still looks for work.
// How    A tree is a function of its seed: each task draws what it does and how many children it
//        has, and adds its own value to the region's sum. A task that waits, for its children or a
//        group's, checks that what it waited for has come. The sum is checked when the region ends.
// Usage  tasks [SEED|random [SECONDS]]
//        A failure prints its seed and region. A run that hangs has printed its seed at the start.
#include <omp.h>
#include <sched.h>

#include <cstdint>
#include <random>

#include "../omp/check.h"
#include "plan.hpp"

namespace {

struct Tree {
  long done = 0;   // tasks that have ended
  long value = 0;  // of all of them
};

enum class Way { kTied, kUntied, kFinal, kAtOnce, kCount };
enum class End { kLeave, kWait, kGroup, kYield, kCount };

struct Node {
  Node(uint64_t seed, int depth) : draw(seed) {
    value = draw.below(1000);
    // Few at the top, so that trees are deep; the draw makes them die out.
    children = depth <= 0 ? 0 : draw.below(4) ? draw.below(5) : draw.below(12);
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

// What a tree comes to, without any tasks.
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

// `ended`: how many of the children have.
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
    default:
#pragma omp task shared(tree) firstprivate(seed, depth, ended)
    {
      grow(seed, depth, tree);
      __atomic_fetch_add(ended, 1, __ATOMIC_RELAXED);
    }
  }
}

// A child whose parent may be gone before it.
void spawn_and_leave(uint64_t seed, int depth, Tree& tree) {
#pragma omp task shared(tree) firstprivate(seed, depth)
  grow(seed, depth, tree);
}

// Inside a task: a team of its own, of which each member has a part of the children.
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
  // The one more that the region had is no part of the tree.
  const Node more(mix(seed, 77), 0);
  __atomic_fetch_sub(&tree.value, more.value, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&tree.done, 1, __ATOMIC_RELAXED);
}

void children_of(uint64_t seed, int depth, Tree& tree, Node& node, int* ended) {
  for (int i = 0; i < node.children; ++i)
    spawn(node.way_of_child(), Node::child(seed, i), depth - 1, tree, ended);
}

void grow(uint64_t seed, int depth, Tree& tree) {
  Node node(seed, depth);
  int ended = 0;
  if (node.region > 0 && node.children > 0) {
    region_below(seed, depth, tree, node);
  } else {
    switch (node.end) {
      case End::kLeave:
        for (int i = 0; i < node.children; ++i)
          spawn_and_leave(Node::child(seed, i), depth - 1, tree);
        break;
      case End::kYield:
        children_of(seed, depth, tree, node, &ended);
#pragma omp taskyield
#pragma omp taskwait
        CHECK_EQ(__atomic_load_n(&ended, __ATOMIC_RELAXED), node.children);
        break;
      case End::kGroup: {
        Tree before = {};
#pragma omp taskgroup
        {
          for (int i = 0; i < node.children; ++i)
            spawn_and_leave(Node::child(seed, i), depth - 1, before);
        }
        // All below has ended, grandchildren too.
        Tree below = expected(seed, depth);
        CHECK_EQ(before.done, below.done - 1);
        CHECK_EQ(before.value, below.value - node.value);
        __atomic_fetch_add(&tree.value, before.value, __ATOMIC_RELAXED);
        __atomic_fetch_add(&tree.done, before.done, __ATOMIC_RELAXED);
        break;
      }
      default:
        children_of(seed, depth, tree, node, &ended);
#pragma omp taskwait
        CHECK_EQ(__atomic_load_n(&ended, __ATOMIC_RELAXED), node.children);
    }
  }
  if (node.lag) sched_yield();
  count(tree, node);
}

// Trees that are generated where the region's constructs are.
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
    // The last one's tasks meet the end of the region.
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
  grow(seed, 3, forest.got);
#pragma omp taskwait
  forest.expect(seed, 3);
#pragma omp taskgroup
  spawn_and_leave(mix(seed, 1), 3, forest.got);
  forest.expect(mix(seed, 1), 3);
  CHECK_EQ(forest.got.done, forest.want.done);
  CHECK_EQ(forest.got.value, forest.want.value);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const text = argc > 1 ? argv[1] : "1";
  const uint64_t seed =
      strcmp(text, "random") == 0 ? std::random_device()() : strtoull(text, nullptr, 0);
  const double seconds = argc > 2 ? atof(argv[2]) : 5;
  fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
  omp_set_max_active_levels(2);
  const int most = omp_get_max_threads();
  const double end = omp_get_wtime() + seconds;
  for (uint64_t r = 0; omp_get_wtime() < end; ++r) {
    region(mix(seed, r), most);
    if (r % 16 == 0) alone(mix(seed, r));
    if (check_result()) {
      fprintf(stderr, "seed %llu, region %llu\n", (unsigned long long)seed, (unsigned long long)r);
      return 1;
    }
  }
  return check_result();
}
