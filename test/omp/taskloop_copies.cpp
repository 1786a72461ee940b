// Taskloops with objects. With nogroup the originals may be gone before the tasks begin, and clang's code
// does not tell whether the program has said it. In gcc's programs otherwise each thread copies what its own
// tasks need. gcc's last task may write to the original, so it begins when all others have their copies.
// test: uses threads=1,2,4,7
// test: variant flat VICINO_TASKLOOP=flat
// test: peer gcc-12 libgomp makes all copies on the thread that meets the taskloop
#include <omp.h>

#include <string>

#include "check.h"

static int copied_by[64];  // by which threads; atomic

struct Copied {
  explicit Copied(const char* its) : text(its) {}
  Copied(const Copied& other) : text(other.text) {
    __atomic_fetch_add(&copied_by[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
  }
  ~Copied() { text = "destroyed"; }
  std::string text;
};
static const char kText[] = "a text that lives on the heap, longer than a short string";

static int makers(void) {
  int threads = 0;
  for (const int& copies : copied_by) threads += __atomic_load_n(&copies, __ATOMIC_RELAXED) != 0;
  return threads;
}

#ifdef __clang__
static int least_makers(void) { return 1; }
#else
static int least_makers(void) { return omp_get_num_threads() > 1 ? 2 : 1; }
#endif

// Tasks end only when two threads have made copies.
static double deadline;
static void wait_for_makers(void) {
  while (makers() < least_makers() && omp_get_wtime() < deadline) {
  }
}

enum { kTrip = 2000 };
static int ran;  // atomic

static void add_run(const Copied& copied) {
  CHECK(copied.text == kText);
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

static void check_runs(void) {
  CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
  CHECK(makers() >= least_makers());
  for (int& copies : copied_by) __atomic_store_n(&copies, 0, __ATOMIC_RELAXED);
}

static void open(void) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied)
  for (int i = 0; i < kTrip; ++i) {
    wait_for_makers();
    add_run(copied);
  }
}

static void with_tasks(int tasks) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied) num_tasks(tasks)
  for (int i = 0; i < kTrip; ++i) {
    wait_for_makers();
    add_run(copied);
  }
}

static void without_group(void) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied) nogroup
  for (int i = 0; i < kTrip; ++i) add_run(copied);
}

// The group is still empty: clang's code calls the runtime as for a taskloop without nogroup.
static void in_group_of_program(void) {
#pragma omp taskgroup
  without_group();
  CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
}

// A task of the taskloop generates one that ends only when the thread goes on after the taskloop.
static void with_event(void) {
  static omp_event_handle_t event;
  static int is_there;
  __atomic_store_n(&is_there, 0, __ATOMIC_RELAXED);
  const Copied copied(kText);
#pragma omp taskgroup
  {
#pragma omp taskloop firstprivate(copied) nogroup
    for (int i = 0; i < kTrip; ++i) {
      add_run(copied);
      if (i == 0) {
        omp_event_handle_t mine;
#pragma omp task detach(mine)
        {
          event = mine;
          __atomic_store_n(&is_there, 1, __ATOMIC_RELEASE);
        }
      }
    }
    while (__atomic_load_n(&is_there, __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
    }
    omp_fulfill_event(event);
  }
  CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
}

#ifndef __clang__
// Too large to be copied to a stack.
struct Large : Copied {
  using Copied::Copied;
  char more[20000] = {};
};

template <class Object>
static void visit(Object& object, int i, int& different) {
  if (object.text != kText) __atomic_fetch_add(&different, 1, __ATOMIC_RELAXED);
  if (i == kTrip - 1)
    object.text = "the last";
  else if (i % 100 == 0)
    for (const double end = omp_get_wtime() + 20e-6; omp_get_wtime() < end;) {
    }
}

// The last task writes to the original, from which all others have been copied.
template <class Object>
static void first_and_last(int tasks) {
  Object object(kText);
  int different = 0;
#pragma omp taskloop firstprivate(object) lastprivate(object) num_tasks(tasks) shared(different)
  for (int i = 0; i < kTrip; ++i) visit(object, i, different);
  CHECK_EQ(different, 0);
  CHECK(object.text == "the last");
}

static void first_and_last_without_clause(void) {
  Copied object(kText);
  int different = 0;
#pragma omp taskloop firstprivate(object) lastprivate(object) shared(different)
  for (int i = 0; i < kTrip; ++i) visit(object, i, different);
  CHECK_EQ(different, 0);
  CHECK(object.text == "the last");
}
#endif

int main() {
  deadline = omp_get_wtime() + 20;
#pragma omp parallel
#pragma omp single
  {
    open();
    check_runs();
    for (const int tasks : {40, 2000}) {
      with_tasks(tasks);
      check_runs();
    }
#ifndef __clang__
    for (int round = 0; round < 20; ++round) {
      for (const int tasks : {1, 2, 40, 2000}) first_and_last<Copied>(tasks);
      for (const int tasks : {40, 200}) first_and_last<Large>(tasks);
      first_and_last_without_clause();
    }
#endif
    for (int round = 0; round < 20; ++round) {
      without_group();
#pragma omp taskwait
      CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
      in_group_of_program();
      if (omp_get_num_threads() > 1) with_event();
    }
  }
  return check_result();
}
