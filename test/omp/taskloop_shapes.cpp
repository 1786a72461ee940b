// taskloop: the number of tasks and the length of each, thousands of tasks, objects that tasks
// copy, taskwait after nogroup, final and if, ranges of 64 bits.
#include <omp.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <initializer_list>

#include "check.h"
#include "compiler_faults.hpp"

enum { kTrip = 1000, kMany = 20000 };

// Counts the objects that are alive: each copy that a task makes must be destroyed.
static std::atomic<int> live;
struct Object {
  int value;
  explicit Object(int v) : value(v) { live.fetch_add(1); }
  Object(const Object& other) : value(other.value) { live.fetch_add(1); }
  ~Object() { live.fetch_sub(1); }
};

static int task_of[kMany];
static std::atomic<int> tasks;

// Each task takes a number at its first iteration and keeps it in its firstprivate `number`, so
// iterations with equal numbers belong to one task.
#define NUMBERED(i, number)                      \
  do {                                           \
    if (number < 0) number = tasks.fetch_add(1); \
    task_of[i] = number;                         \
  } while (0)

struct Lengths {
  int tasks, least, most, last;
};
static Lengths lengths(int trip) {
  Lengths l = {0, INT_MAX, 0, 0};
  for (int i = 0, length = 0; i < trip; ++i) {
    ++length;
    if (i + 1 < trip && task_of[i + 1] == task_of[i]) continue;
    ++l.tasks;
    if (length < l.least) l.least = length;
    if (length > l.most) l.most = length;
    l.last = length;
    length = 0;
  }
  CHECK_EQ(l.tasks, tasks.load());  // the iterations of each task are one range
  tasks = 0;
  return l;
}

static void shapes(int amount) {
  int number = -1;
#pragma omp taskloop grainsize(amount) firstprivate(number)
  for (int i = 0; i < kTrip; ++i) NUMBERED(i, number);
  Lengths l = lengths(kTrip);
  CHECK(l.least >= amount && l.most < 2 * amount);

#pragma omp taskloop num_tasks(amount) firstprivate(number)
  for (int i = 0; i < kTrip; ++i) NUMBERED(i, number);
  CHECK(lengths(kTrip).tasks <= amount);

  if (!kGcc) return;  // clang-19 reads `strict` and does not pass it on
#pragma omp taskloop grainsize(strict : amount) firstprivate(number)
  for (int i = 0; i < kTrip; ++i) NUMBERED(i, number);
  l = lengths(kTrip);
  CHECK_EQ(l.tasks, (kTrip + amount - 1) / amount);
  CHECK_EQ(l.most, amount);
  CHECK_EQ(l.last, (kTrip - 1) % amount + 1);

#pragma omp taskloop num_tasks(strict : amount) firstprivate(number)
  for (int i = 0; i < kTrip; ++i) NUMBERED(i, number);
  l = lengths(kTrip);
  CHECK_EQ(l.tasks, amount);
  CHECK(l.most - l.least <= 1);
}

static unsigned char seen[kMany];

static void many() {
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < kMany; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, kMany);
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < kMany; ++i) hit(seen, i);
#pragma omp taskwait
  CHECK_EACH_ONCE(seen, kMany);  // the tasks are children of the task that met the taskloop
#pragma omp taskloop grainsize(1) untied
  for (int i = 0; i < kMany; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, kMany);
}

static void objects(int tasks_wanted) {
  {
    const Object object(7);
    std::atomic<int> wrong{0};
    int last = -1;
#pragma omp taskloop num_tasks(tasks_wanted) firstprivate(object) lastprivate(last) shared(wrong)
    for (int i = 0; i < kTrip; ++i) {
      if (object.value != 7) ++wrong;
      last = i;
    }
    CHECK_EQ(wrong.load(), 0);
    CHECK_EQ(last, kTrip - 1);
#pragma omp taskloop num_tasks(tasks_wanted) firstprivate(object) shared(wrong) nogroup
    for (int i = 0; i < kTrip; ++i)
      if (object.value != 7) ++wrong;
#pragma omp taskwait
    CHECK_EQ(wrong.load(), 0);
  }
  CHECK_EQ(live.load(), 0);
}

static void undeferred() {
  const int me = omp_get_thread_num();
  int elsewhere = 0, not_final = 0, deferred = 0;
#pragma omp taskloop if (0) num_tasks(50) shared(elsewhere)
  for (int i = 0; i < kTrip; ++i) elsewhere += omp_get_thread_num() != me;
  CHECK_EQ(elsewhere, 0);
#pragma omp taskloop final(1) num_tasks(50) shared(not_final, deferred)
  for (int i = 0; i < kTrip; ++i) {
    if (!omp_in_final()) __atomic_fetch_add(&not_final, 1, __ATOMIC_RELAXED);
    int done = 0;
#pragma omp task shared(done)
    done = 1;
    if (!done) __atomic_fetch_add(&deferred, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(not_final, 0);
  CHECK_EQ(deferred, 0);
}

static void wide() {
  std::atomic<int> runs{0};
  std::atomic<uint64_t> sum{0};
#pragma omp taskloop shared(runs, sum)
  for (uint64_t i = UINT64_MAX - 100; i < UINT64_MAX - 9; i += 7) ++runs, sum += UINT64_MAX - i;
  CHECK_EQ(runs.load(), 13);
  CHECK_EQ(sum.load(), 13 * 100 - 7 * 78);
  runs = 0, sum = 0;
#pragma omp taskloop grainsize(4) shared(runs, sum)
  for (int64_t i = INT64_MAX; i > INT64_MAX - 100; i -= 9) ++runs, sum += uint64_t(INT64_MAX - i);
  CHECK_EQ(runs.load(), 12);
  CHECK_EQ(sum.load(), 9 * 66);
  if (kGcc) return;  // gcc takes the bounds of unsigned loops for signed ones
  runs = 0;
#pragma omp taskloop num_tasks(3) shared(runs)
  for (uint64_t i = 0; i <= UINT64_MAX / 5 * 4; i += UINT64_MAX / 5) ++runs;
  CHECK_EQ(runs.load(), 5);
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (int amount : {1, 3, 7, 33, 100, 999, 1000}) shapes(amount);
    many();
    for (int n : {1, 2, 40, 500}) objects(n);
    undeferred();
    wide();
  }
  // Several taskloops run at once, and each thread waits for its own.
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int mine = 0;
#pragma omp taskloop num_tasks(100) shared(mine)
    for (int i = 0; i < kTrip; ++i) __atomic_fetch_add(&mine, 1, __ATOMIC_RELAXED);
    CHECK_EQ(mine, kTrip);
    sum += 1;
  }
  CHECK(sum >= 1);
  return check_result();
}
