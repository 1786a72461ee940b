// Checks where the kernel lets threads run. Members of a region run only on their place; threads
// and processes that the program starts itself run wherever the process may. With the argument
// `free`, members do so, too, and with `reset` the initial thread between regions. With `late`, another
// runtime may have bound the initial thread until its first call of this runtime.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../omp/check.h"

static cpu_set_t process_mask;
static int bound = 1, resets;

static cpu_set_t own_mask(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return mask;
}

static void check_unbound(const char* who) {
  cpu_set_t mask = own_mask();
  if (CPU_EQUAL(&mask, &process_mask)) return;
  fprintf(stderr, "%s is on %d CPUs, the process on %d\n", who, CPU_COUNT(&mask),
          CPU_COUNT(&process_mask));
  CHECK(!"not bound");
}

static void check_on_place(void) {
  int place = omp_get_place_num(), ids[CPU_SETSIZE];
  CHECK(place >= 0 && place < omp_get_num_places());
  cpu_set_t wanted, mask = own_mask();
  CPU_ZERO(&wanted);
  omp_get_place_proc_ids(place, ids);
  for (int i = 0; i < omp_get_place_num_procs(place); ++i) CPU_SET(ids[i], &wanted);
  CHECK(CPU_EQUAL(&mask, &wanted));
}

static void* thread(void* who) {
  check_unbound(who);
  return NULL;
}

static void start_thread(const char* who) {
  pthread_t started;
  CHECK_EQ(pthread_create(&started, NULL, thread, (void*)who), 0);
  pthread_join(started, NULL);
}

static void check_free(const char* who) {
  check_unbound(who);
  CHECK_EQ(omp_get_place_num(), -1);
}

static void region_of_one(void) {
#pragma omp parallel num_threads(1)
  check_free("the initial thread in a region of one");
  check_free("the initial thread after a region of one");
}

static void region(int threads) {
#pragma omp parallel num_threads(threads)
  {
    if (bound)
      check_on_place();
    else
      check_unbound("a member");
    start_thread("a thread of a member");
  }
}

// The place of the outer region's primary thread holds until that region ends.
static void nested_regions(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    region(2);
    check_on_place();
  }
  omp_set_max_active_levels(1);
}

static void start_process(void) {
  pid_t child = fork();
  if (child == 0) {
    check_failures = 0;
    check_unbound("a child");
    start_thread("a thread of a child");
    region(2);
    start_thread("a thread of a child that had a region");
    _exit(check_result());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

int main(int count, char** words) {
  const char* word = count < 2 ? "" : words[1];
  bound = strcmp(word, "free") != 0;
  resets = strcmp(word, "reset") == 0;
  CPU_ZERO(&process_mask);
  sched_getaffinity(getppid(), sizeof process_mask, &process_mask);
  if (strcmp(word, "late") != 0) check_unbound("the initial thread at its start");
  if (resets) region_of_one();
  omp_get_max_threads();
  check_unbound("the initial thread before its first region");
  for (int threads = 2; threads < 6; ++threads) {
    region(threads);
    if (resets) {
      check_free("the initial thread after a region");
      nested_regions();
      check_free("the initial thread after nested regions");
      region_of_one();
    }
    start_thread("a thread");
    start_process();
  }
  return check_result();
}
