// events.c: one of each construct, so that events_test.py knows how often each event has to come. The
// argument names the part to run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum;

// gcc-12 does not declare omp_control_tool(), and libgomp does not have it.
enum { kFlush = 3, kEnd = 4 };
static int control_tool(int command) {
  int (*const routine)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_DEFAULT, "omp_control_tool");
  return routine(command, 0, NULL);
}

static void regions(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp barrier
  }
#pragma omp parallel num_threads(2) if (0)
  {
#pragma omp atomic
    ++sum;
  }
}

static void nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      ++sum;
    }
  }
}

static void loops(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 8; ++i)
#pragma omp atomic
      sum += i;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 8; ++i)
#pragma omp atomic
      sum += i;
  }
}

static void chosen_loop(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < 8; ++i)
#pragma omp atomic
      sum += i;
  }
}

static void alone(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < 8; ++i) sum += i;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; ++i) sum += i;
#pragma omp for schedule(guided)
    for (int i = 0; i < 8; ++i) sum += i;
  }
}

static void single(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    ++sum;
  }
}

static void sections(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      ++sum;
#pragma omp section
#pragma omp atomic
      ++sum;
    }
  }
}

static void tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 5; ++i)
#pragma omp task
#pragma omp atomic
      ++sum;
#pragma omp taskwait
#pragma omp task if (0)
    ++sum;
#pragma omp taskgroup
    {
#pragma omp task
#pragma omp atomic
      ++sum;
    }
  }
}

static void ordered_tasks(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)
    ++x;
#pragma omp task depend(in : x)
    sum += x;
#pragma omp taskwait depend(inout : x)
  }
}

static void taskloop(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(4)
  for (int i = 0; i < 8; ++i)
#pragma omp atomic
    sum += i;
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  if (omp_test_lock(&lock)) omp_unset_lock(&lock);  // in vain
  omp_unset_lock(&lock);
  if (omp_test_lock(&lock)) omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  if (omp_test_nest_lock(&nest) == 3) omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  if (omp_test_nest_lock(&nest) == 1) omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
#pragma omp critical
  ++sum;
#pragma omp critical(named)
  ++sum;
}

static void leagues(void) {
#pragma omp teams num_teams(3) thread_limit(2)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      ++sum;
    }
  }
}

static void cancelled(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp cancel parallel
#pragma omp barrier
  }
}

// On a line of n iterations, of which each waits for the one before it: n - 1 waits that are
// dependences, and n posts.
static void doacross(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 8; ++i) {
#pragma omp ordered depend(sink : i - 1)
      ++sum;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2) schedule(dynamic, 1)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
#pragma omp ordered depend(sink : i - 1, j)
        ++sum;
#pragma omp ordered depend(source)
      }
  }
}

// LLVM's entry points, which Intel's compilers call: of these, the first takes no lock.
static void atomics(void) {
  static int one;
  static long double ten;
  void (*const add_4)(void*, int, int*, int) =
      (void (*)(void*, int, int*, int))dlsym(RTLD_DEFAULT, "__kmpc_atomic_fixed4_add");
  void (*const add_10)(void*, int, long double*, long double) = (void (*)(
      void*, int, long double*, long double))dlsym(RTLD_DEFAULT, "__kmpc_atomic_float10_add");
  long double (*const read_10)(void*, int, long double*) =
      (long double (*)(void*, int, long double*))dlsym(RTLD_DEFAULT, "__kmpc_atomic_float10_rd");
  void (*const start)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__kmpc_atomic_start");
  void (*const end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__kmpc_atomic_end");
  add_4(NULL, 0, &one, 1);
  add_10(NULL, 0, &ten, 1);
  start();
  end();
  if (one != 1 || read_10(NULL, 0, &ten) != 1) printf("wrong sums\n");
}

static void targets(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  ++x;
#pragma omp target data map(tofrom : x)
  {
#pragma omp target update to(x)
  }
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target map(tofrom : x) nowait depend(inout : x)
    ++x;
#pragma omp taskwait
  }
  if (x != 2) printf("x is %d\n", x);
}

// The task is discarded before its event is fulfilled.
static void discarded(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
    int made = 0;
#pragma omp taskgroup
    {
#pragma omp task depend(out : x) shared(made)
      {
        while (!__atomic_load_n(&made, __ATOMIC_ACQUIRE)) {
        }
#pragma omp cancel taskgroup
      }
#pragma omp task depend(in : x) detach(event)
      sum += x;
      __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
    }
    omp_fulfill_event(event);
  }
}

static void control(void) {
  if (control_tool(kFlush) != 17) printf("no answer of the tool\n");
}

// OpenMP 6.0: the tool ends as at the program's end, and the program goes on.
static void end_by_pause(int (*pause)(omp_pause_resource_t kind)) {
  const omp_pause_resource_t stop_tool = (omp_pause_resource_t)3;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    ++sum;
    if (pause(stop_tool) == 0) printf("a pause within a region\n");
  }
  printf("pause: %d\n", pause(stop_tool));
  printf("after the tool: %d\n", control_tool(kFlush));
  sum = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    ++sum;
  }
  printf("later threads: %d\n", sum);
}
static int pause_host(omp_pause_resource_t kind) { return omp_pause_resource(kind, omp_get_initial_device()); }
static void paused(void) { end_by_pause(omp_pause_resource_all); }
static void host_paused(void) { end_by_pause(pause_host); }

static void ended(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    ++sum;
  }
  control_tool(kEnd);
  printf("after the tool: %d\n", control_tool(kFlush));
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    ++sum;
  }
#pragma omp taskloop num_tasks(4)
  for (int i = 0; i < 8; ++i)
#pragma omp atomic
    sum += i;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } parts[] = {{"regions", regions}, {"nested", nested},     {"loops", loops},
               {"chosen_loop", chosen_loop}, {"named_loop", chosen_loop}, {"alone", alone},
               {"single", single},   {"sections", sections}, {"tasks", tasks},
               {"ordered_tasks", ordered_tasks}, {"taskloop", taskloop}, {"locks", locks},
               {"leagues", leagues}, {"doacross", doacross}, {"atomics", atomics}, {"targets", targets},
               {"cancelled", cancelled}, {"discarded", discarded}, {"control", control}, {"ended", ended},
               {"paused", paused}, {"host_paused", host_paused}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (argc > 1 && strcmp(parts[i].name, argv[1]) == 0) {
      parts[i].run();
      printf("ran %s\n", argv[1]);
    }
  return 0;
}
