// Task reductions: in_reduction through groups and through nested tasks, types of the user, arrays,
// untied and undeferred tasks, the task modifier of parallel, for and sections.
// test: skip clang<14 its untied tasks lose what they add to a reduction, whatever the runtime
// test: skip gcc<11 its code for a taskloop with a reduction and no iteration crashes, whatever the runtime
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include "check.h"
#include "compiler_faults.hpp"

enum { kTasks = 200 };

// The neutral value is not all zeros, and the initializer reads the original.
struct Tally {
  long sum = 100;
  int copies = 0;
};
static void init(Tally* copy, const Tally* original) {
  copy->sum = original->sum - original->sum;
  copy->copies = 1;
}
static void add(Tally& into, const Tally& from) {
  into.sum += from.sum;
  into.copies += from.copies;
}
#pragma omp declare reduction(tally:Tally : add(omp_out, omp_in)) \
    initializer(init(&omp_priv, &omp_orig))
#pragma omp declare reduction(times:long : omp_out = omp_out * omp_in % 1000003) \
    initializer(omp_priv = 1)

static void users_types() {
  Tally tally;
  long product = 3, wanted = 3;
#pragma omp taskgroup task_reduction(tally : tally) task_reduction(times : product)
  for (int i = 1; i <= kTasks; ++i) {
    wanted = wanted * i % 1000003;
#pragma omp task in_reduction(tally : tally) in_reduction(times : product) firstprivate(i)
    {
      tally.sum += i;
      product = product * i % 1000003;
    }
  }
  CHECK_EQ(tally.sum, 100 + kTasks * (kTasks + 1) / 2);
  CHECK(tally.copies <= omp_get_num_threads());
  CHECK_EQ(product, wanted);
}

static void arrays(int n) {
  long fixed[8] = {0}, *heap = new long[size_t(n)]();
#pragma omp taskgroup task_reduction(+ : fixed, heap[0 : n])
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : fixed) firstprivate(i)
    fixed[i % 8] += i;
#pragma omp task in_reduction(+ : heap[0 : n]) firstprivate(i, n)
    heap[i % n] += 1;
  }
  long sum = 0;
  for (long f : fixed) sum += f;
  CHECK_EQ(sum, kTasks * (kTasks - 1) / 2);
  sum = 0;
  for (int i = 0; i < n; ++i) sum += heap[i];
  // clang-19 keeps the section's length in a variable of each thread that runs a task. If the
  // thread that adds up the copies has run none, it has no length, or that of an earlier section:
  // then it writes beyond a shorter one. So with clang all sections are equally long.
  if (kGcc) CHECK_EQ(sum, kTasks);
  delete[] heap;
}

// A child task names the variable by the address of its parent's copy.
static void deeper(long& sum, int depth) {
#pragma omp task in_reduction(+ : sum) firstprivate(depth)
  {
    sum += 1;
    if (depth > 0) {
      for (int i = 0; i < 2; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(depth)
        {
          sum += 1;
          deeper(sum, depth - 1);
#pragma omp taskwait
        }
      }
#pragma omp taskwait
    }
  }
}
static long tasks_of(int depth) { return 1 + (depth > 0 ? 2 * (1 + tasks_of(depth - 1)) : 0); }

static void through_groups() {
  long sum = 0, other = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  {
    deeper(sum, 6);
#pragma omp task in_reduction(+ : sum) shared(other)
    {
#pragma omp taskgroup task_reduction(+ : other)
      {
        for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : sum, other)
          sum += 1, other += 1;
        }
      }
      CHECK_EQ(other, kTasks);
      sum += 1;
    }
  }
  CHECK_EQ(sum, tasks_of(6) + kTasks + 1);
  // The inner group hides the outer one.
  sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum)
    {
      long here = 0;
      sum += 1;
#pragma omp taskgroup task_reduction(+ : here)
      {
#pragma omp task in_reduction(+ : here)
        here += 5;
      }
      sum += here;
    }
  }
  CHECK_EQ(sum, 6);
}

static void undeferred_and_untied() {
  long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : sum) if (0)
    sum += 1;
#pragma omp task in_reduction(+ : sum) final(1)
    sum += 1;
    // While the untied task is suspended, no other task, on the thread that it leaves or on the
    // thread that resumes it, may lose what it adds.
#pragma omp task in_reduction(+ : sum) untied
    {
      long before = sum;
#pragma omp taskyield
      sum = before + 1;
    }
  }
  CHECK_EQ(sum, 3 * kTasks);
}

static void taskloops() {
  long sum = 1, outer = 1;
#pragma omp taskloop reduction(+ : sum) num_tasks(70)
  for (int i = 0; i < 1000; ++i) sum += i;
  CHECK_EQ(sum, 1 + 499500);
#pragma omp taskgroup task_reduction(+ : outer)
  {
#pragma omp taskloop in_reduction(+ : outer) nogroup grainsize(3)
    for (int i = 0; i < 1000; ++i) outer += i;
#pragma omp taskloop in_reduction(+ : outer) num_tasks(500)
    for (int i = 0; i < 1000; ++i) outer += i;
  }
  CHECK_EQ(outer, 1 + 2 * 499500);
  long none = 4;
#pragma omp taskloop reduction(+ : none)
  for (int i = 10; i < 10; ++i) none += 1;
  CHECK_EQ(none, 4);
}

static void modifiers(int threads) {
  long sum = 1, product = 1;
#pragma omp parallel num_threads(threads) reduction(task, + : sum) reduction(task, times : product)
  {
    sum += 1;
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : sum)
      sum += 2;
    }
#pragma omp task in_reduction(times : product)
    product = product * 2 % 1000003;
  }
  long power = 1;
  for (int i = 0; i < threads; ++i) power = power * 2 % 1000003;
  CHECK_EQ(sum, 1 + threads * (1 + 2 * kTasks));
  if (!kGcc) CHECK_EQ(product, power);  // gcc combines copies that it has not initialised

  long of_loop = 0, of_static = 0, of_sections = 0;
#pragma omp parallel num_threads(threads)
  for (int round = 0; round < 10; ++round) {
#pragma omp for schedule(dynamic, 3) reduction(task, + : of_loop)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : of_loop) firstprivate(i)
      of_loop += i;
    }
#pragma omp for schedule(static) reduction(task, + : of_static)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : of_static) firstprivate(i)
      of_static += i;
    }
#pragma omp sections reduction(task, + : of_sections)
    {
#pragma omp task in_reduction(+ : of_sections)
      of_sections += 1;
#pragma omp section
      of_sections += 1;
    }
  }
  CHECK_EQ(of_loop, 10 * kTasks * (kTasks - 1) / 2);
  CHECK_EQ(of_static, 10 * kTasks * (kTasks - 1) / 2);
  CHECK_EQ(of_sections, 20);
}

int main() {
  const int threads = omp_get_max_threads();
  users_types();  // outside any region
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; ++round) {
    users_types();
    if (kGcc) arrays(5);
    arrays(1000);
    through_groups();
    undeferred_and_untied();
    taskloops();
  }
  for (int round = 0; round < 5; ++round) modifiers(threads);
  return check_result();
}
