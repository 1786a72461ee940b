// checker.c: a tool that checks what the runtime tells it. It knows nothing of the program.
//
// Each thread keeps a stack of what has begun: implicit tasks, waits, constructs, tasks. What ends has
// to be what lies on top, or, for constructs, what the present task has begun. The data words of threads, regions
// and tasks have to come back as they were set. At its end the tool prints one line with how often each event
// came, and what was wrong; then a wrong runtime's program ends with status 3.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ompt_set_callback_t set_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;
static ompt_get_unique_id_t get_unique_id;
static ompt_finalize_tool_t finalize_tool;
static ompt_get_target_info_t get_target_info;

enum Count {
  kThreads, kThreadEnds, kRegions, kRegionEnds, kLeagues, kLeagueEnds, kInitialTasks, kInitialTaskEnds,
  kImplicitTasks, kImplicitTaskEnds, kTasks, kTaskEnds, kTaskwaits, kSwitches, kDependences, kOrders,
  kWorks, kWorkEnds, kChunks, kSections, kMasked, kMaskedEnds, kSyncs, kSyncEnds, kWaits, kWaitEnds,
  kAcquires, kAcquired, kReleased, kNested, kLocks, kLockEnds, kReductions, kReductionEnds, kFlushes,
  kCancels, kErrors, kControls, kTargets, kTargetEnds, kTargetRegions, kEnters, kExits, kUpdates, kNowaits,
  kSources, kSinks, kSourceValues, kSinkValues, kStaticLoops, kDynamicLoops, kGuidedLoops, kOtherLoops,
  kLockAcquires, kTestAcquires, kNestAcquires, kNestTestAcquires,  // in the order of ompt_mutex_t
  kLockAcquired, kTestAcquired, kNestAcquired, kNestTestAcquired, kCounts
};
static const char* const kNames[kCounts] = {
  "threads", "thread-ends", "regions", "region-ends", "leagues", "league-ends", "initial-tasks",
  "initial-task-ends", "implicit-tasks", "implicit-task-ends", "tasks", "task-ends", "taskwaits", "switches",
  "dependences", "orders", "works", "work-ends", "chunks", "sections", "masked", "masked-ends", "syncs",
  "sync-ends", "waits", "wait-ends", "acquires", "acquired", "released", "nested", "locks", "lock-ends",
  "reductions", "reduction-ends", "flushes", "cancels", "errors", "controls", "targets", "target-ends",
  "target-regions", "enters", "exits", "updates", "nowaits", "sources", "sinks", "source-values", "sink-values",
  "static-loops", "dynamic-loops", "guided-loops", "other-loops", "lock-acquires", "test-acquires",
  "nest-acquires", "nest-test-acquires", "lock-acquired", "test-acquired", "nest-acquired", "nest-test-acquired"
};
static atomic_long counts[kCounts];
static atomic_int wrong;
#ifdef OLD_TARGETS
enum { kOldTargets = 1 };
#else
enum { kOldTargets = 0 };
#endif

static void count(enum Count what) { atomic_fetch_add(&counts[what], 1); }

static void complain(const char* what, uint64_t got, uint64_t want) {
  if (atomic_fetch_add(&wrong, 1) < 10)
    fprintf(stderr, "checker: %s (got %" PRIu64 ", want %" PRIu64 ")\n", what, got, want);
}
#define EXPECT(condition) ((condition) ? (void)0 : complain(#condition, 0, 1))
#define EXPECT_EQ(got, want)                                                    \
  do {                                                                          \
    uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want);                  \
    if (got_ != want_) complain(#got " == " #want, got_, want_);                \
  } while (0)

// What a task's data word points to.
struct Task {
  uint64_t id;
  struct Task* below;  // the task that its thread has suspended for it
  int works, syncs, waits, masked, reductions;
  int targets, target_kinds[8];  // those that it is in, from the outermost on
  int ends;  // how often it has ended
  int is_implicit, is_ending;
};
static _Thread_local struct Task* now;
static _Thread_local int is_known;

static struct Task* new_task(ompt_data_t* data) {
  EXPECT(data->ptr == NULL);
  struct Task* task = calloc(1, sizeof *task);
  task->id = get_unique_id();
  data->ptr = task;
  return task;
}

// Everything that the task has begun has ended.
static void check_ended(const struct Task* task) {
  EXPECT_EQ(task->works, 0);
  EXPECT_EQ(task->masked, 0);
  EXPECT_EQ(task->reductions, 0);
  EXPECT_EQ(task->targets, 0);
  uint64_t where, target, operation;
  if (task->is_implicit && task->below == NULL) EXPECT_EQ(get_target_info(&where, &target, &operation), 0);
  EXPECT_EQ(task->syncs, 0);
  EXPECT_EQ(task->waits, 0);
}

// What the runtime answers has to fit to what it has told.
static void check_present(const ompt_data_t* task_data, const ompt_data_t* parallel_data) {
  ompt_data_t *task = NULL, *parallel = NULL;
  ompt_frame_t* frame = NULL;
  int flags = 0, thread = -1, size = 0;
  EXPECT(get_thread_data() != NULL);
  EXPECT_EQ(get_task_info(0, &flags, &task, &frame, &parallel, &thread), 2);
  EXPECT(task == task_data);
  EXPECT(flags != 0 && frame != NULL && thread >= 0);
  EXPECT_EQ(frame->exit_frame_flags, ompt_frame_runtime | ompt_frame_cfa);
  EXPECT_EQ(frame->enter_frame_flags, ompt_frame_application | ompt_frame_cfa);
  if (parallel_data == NULL) return;
  EXPECT(parallel == parallel_data);
  EXPECT_EQ(get_parallel_info(0, &parallel, &size), 2);
  EXPECT(parallel == parallel_data);
  EXPECT(thread < size || (flags & ompt_task_initial));
}

// The file that an address lies in.
static const void* file_of(const void* address) {
  Dl_info file;
  return dladdr(address, &file) != 0 ? file.dli_fbase : NULL;
}
static int lies_in_runtime(const void* caller) {
  return caller != NULL && file_of(caller) == file_of((const void*)set_callback);
}
// What the program, and not the runtime, has called from.
static int is_of_program(const void* caller) { return caller != NULL && !lies_in_runtime(caller); }

static void on_thread_begin(ompt_thread_t type, ompt_data_t* data) {
  count(kThreads);
  EXPECT(type == ompt_thread_initial || type == ompt_thread_worker);
  EXPECT(data->ptr == NULL);
  EXPECT(!is_known);
  is_known = 1;
  data->value = (uint64_t)pthread_self();
  EXPECT(get_thread_data() == data);
}
static void on_thread_end(ompt_data_t* data) {
  count(kThreadEnds);
  EXPECT_EQ(data->value, (uint64_t)pthread_self());
  EXPECT(now == NULL);
  is_known = 0;
}

static void on_parallel_begin(ompt_data_t* task_data, const ompt_frame_t* frame, ompt_data_t* data,
                              unsigned size, int flags, const void* caller) {
  count(flags & ompt_parallel_league ? kLeagues : kRegions);
  EXPECT(task_data->ptr == now);
  EXPECT(frame->enter_frame.ptr != NULL);
  EXPECT(data->ptr == NULL);
  EXPECT(size > 0 && is_of_program(caller));
  data->ptr = now;
}
static void on_parallel_end(ompt_data_t* data, ompt_data_t* task_data, int flags, const void* caller) {
  count(flags & ompt_parallel_league ? kLeagueEnds : kRegionEnds);
  EXPECT(task_data->ptr == now);
  EXPECT(data->ptr == now);
  EXPECT(is_of_program(caller));
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data,
                             ompt_data_t* data, unsigned size, unsigned number, int flags) {
  const int initial = (flags & ompt_task_initial) != 0;
  EXPECT(is_known);
  if (endpoint == ompt_scope_begin) {
    count(initial ? kInitialTasks : kImplicitTasks);
    struct Task* task = new_task(data);
    task->below = now;
    task->is_implicit = 1;
    now = task;
    EXPECT(size > 0);
    EXPECT(number < size || initial);
    if (!initial) EXPECT(parallel_data->ptr != NULL);
    check_present(data, parallel_data);
    return;
  }
  count(initial ? kInitialTaskEnds : kImplicitTaskEnds);
  EXPECT_EQ(endpoint, ompt_scope_end);
  EXPECT(data->ptr == now);
  struct Task* task = data->ptr;
  if (task == NULL) return;
  check_ended(task);
  now = task->below;
  free(task);
  data->ptr = NULL;
}

static void on_task_create(ompt_data_t* by, const ompt_frame_t* frame, ompt_data_t* data, int flags,
                           int has_dependences, const void* caller) {
  EXPECT(by->ptr == now);
  EXPECT(frame->enter_frame.ptr != NULL || now->is_ending);
  EXPECT(is_of_program(caller));
  (void)has_dependences;
  if (flags & ompt_task_taskwait) return count(kTaskwaits);
  EXPECT(flags & ompt_task_explicit);
  count(kTasks);
  new_task(data);
}

static void on_task_schedule(ompt_data_t* first, ompt_task_status_t status, ompt_data_t* second) {
  if (status == ompt_taskwait_complete) return;
  struct Task* task = first->ptr;
  if (status == ompt_task_early_fulfill) {
    EXPECT_EQ(task->ends, 0);
    return;
  }
  if (status == ompt_task_late_fulfill) {
    count(kTaskEnds);
    EXPECT_EQ(task->ends, 0);
    ++task->ends;
    return;
  }
  EXPECT(first->ptr == now);
  EXPECT(second != NULL && second->ptr != NULL);
  struct Task* next = second->ptr;
  if (status == ompt_task_complete || status == ompt_task_cancel) {
    count(kTaskEnds);
    EXPECT_EQ(task->ends, 0);
    ++task->ends;
  }
  if (next == task->below) {  // the task has ended, or its part
    check_ended(task);
    task->below = NULL;
    now = next;
    return;
  }
  count(kSwitches);
  EXPECT(status == ompt_task_switch || status == ompt_task_yield);
  EXPECT(!next->is_implicit);
  EXPECT_EQ(next->ends, 0);
  next->below = now;
  now = next;
}

// An iteration of a doacross loop, with one value for each loop of the nest: adds all but the outermost times 1000,
// 1000000 and so on.
static void add_iteration(const ompt_dependence_t* list, int number) {
  const int is_source = list[0].dependence_type == ompt_dependence_type_source;
  long sum = 0, weight = 1;
  for (int i = 0; i < number; ++i, weight *= 1000) {
    EXPECT_EQ(list[i].dependence_type, list[0].dependence_type);
    sum += weight * (long)list[i].variable.value;
  }
  count(is_source ? kSources : kSinks);
  atomic_fetch_add(&counts[is_source ? kSourceValues : kSinkValues], sum);
}
static void on_dependences(ompt_data_t* data, const ompt_dependence_t* list, int number) {
  count(kDependences);
  EXPECT(number > 0);
  for (int i = 0; i < number; ++i) EXPECT(list[i].dependence_type != 0);
  const ompt_dependence_type_t type = list[0].dependence_type;
  if (type != ompt_dependence_type_source && type != ompt_dependence_type_sink) return;
  EXPECT(data->ptr == now);
  add_iteration(list, number);
}
static void on_task_dependence(ompt_data_t* first, ompt_data_t* second) {
  count(kOrders);
  EXPECT(first != second);
}

static void count_loop(ompt_work_t work) {
  if (work == ompt_work_loop_static) count(kStaticLoops);
  if (work == ompt_work_loop_dynamic) count(kDynamicLoops);
  if (work == ompt_work_loop_guided) count(kGuidedLoops);
  if (work == ompt_work_loop_other) count(kOtherLoops);
}
static void on_work(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data,
                    ompt_data_t* data, uint64_t number, const void* caller) {
  (void)number;
  EXPECT(data->ptr == now && is_of_program(caller) && work != 0);
  check_present(data, parallel_data);
  count(endpoint == ompt_scope_begin ? kWorks : kWorkEnds);
  if (endpoint == ompt_scope_begin) count_loop(work);
  now->works += endpoint == ompt_scope_begin ? 1 : -1;
  EXPECT(now->works >= 0);
}
static void on_dispatch(ompt_data_t* parallel_data, ompt_data_t* data, ompt_dispatch_t kind,
                        ompt_data_t instance) {
  count(kind == ompt_dispatch_section ? kSections : kChunks);
  EXPECT(data->ptr == now && parallel_data != NULL);
  if (kind == ompt_dispatch_section) return;
  EXPECT(((ompt_dispatch_chunk_t*)instance.ptr)->iterations > 0);
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data, ompt_data_t* data,
                      const void* caller) {
  EXPECT(data->ptr == now && parallel_data != NULL && is_of_program(caller));
  count(endpoint == ompt_scope_begin ? kMasked : kMaskedEnds);
  now->masked += endpoint == ompt_scope_begin ? 1 : -1;
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t* parallel_data, ompt_data_t* data, const void* caller) {
  EXPECT(data->ptr == now && !lies_in_runtime(caller));
  count(endpoint == ompt_scope_begin ? kSyncs : kSyncEnds);
  now->syncs += endpoint == ompt_scope_begin ? 1 : -1;
  if (kind == ompt_sync_region_barrier_implicit_parallel) {
    now->is_ending = 1;
    EXPECT((parallel_data == NULL) == (endpoint == ompt_scope_end));
  } else {
    check_present(data, parallel_data);
  }
}
static void on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t* parallel_data, ompt_data_t* data, const void* caller) {
  (void)kind, (void)parallel_data;
  EXPECT(data->ptr == now && !lies_in_runtime(caller));
  count(endpoint == ompt_scope_begin ? kWaits : kWaitEnds);
  now->waits += endpoint == ompt_scope_begin ? 1 : -1;
  if (endpoint != ompt_scope_begin) return;
  const int state = get_state(NULL);
  EXPECT((state >= 0x10 && state < 0x40) || now->is_ending);
}
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t* parallel_data, ompt_data_t* data, const void* caller) {
  (void)parallel_data;
  EXPECT(data->ptr == now && is_of_program(caller) && kind == ompt_sync_region_reduction);
  count(endpoint == ompt_scope_begin ? kReductions : kReductionEnds);
  now->reductions += endpoint == ompt_scope_begin ? 1 : -1;
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
                             ompt_wait_id_t lock, const void* caller) {
  (void)hint;
  count(kAcquires);
  if (kind <= ompt_mutex_test_nest_lock) count(kLockAcquires + kind - ompt_mutex_lock);
  EXPECT(kind != 0 && implementation != 0 && lock != 0 && is_of_program(caller));
}
static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void* caller) {
  count(kAcquired);
  if (kind <= ompt_mutex_test_nest_lock) count(kLockAcquired + kind - ompt_mutex_lock);
  EXPECT(kind != 0 && lock != 0 && is_of_program(caller));
}
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void* caller) {
  count(kReleased);
  EXPECT(kind != 0 && lock != 0 && is_of_program(caller));
}
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock, const void* caller) {
  (void)endpoint;
  count(kNested);
  EXPECT(lock != 0 && is_of_program(caller));
}
static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned implementation,
                         ompt_wait_id_t lock, const void* caller) {
  (void)hint, (void)implementation;
  count(kLocks);
  EXPECT(kind != 0 && lock != 0 && is_of_program(caller));
}
static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t lock, const void* caller) {
  count(kLockEnds);
  EXPECT(kind != 0 && lock != 0 && is_of_program(caller));
}

static void on_flush(ompt_data_t* thread, const void* caller) {
  count(kFlushes);
  EXPECT(thread == get_thread_data() && is_of_program(caller));
}
static void on_cancel(ompt_data_t* data, int flags, const void* caller) {
  count(kCancels);
  EXPECT(data != NULL && (flags & 0xf) != 0 && (flags & 0x70) != 0);
  if (flags & ompt_cancel_discarded_task)
    ++((struct Task*)data->ptr)->ends;
  else
    EXPECT(is_of_program(caller));
}
static void on_error(ompt_severity_t severity, const char* message, size_t length,
                     const void* caller) {
  count(kErrors);
  EXPECT(severity == ompt_warning || severity == ompt_fatal);
  EXPECT(strnlen(message, length) == length && is_of_program(caller));
}
static int on_control_tool(uint64_t command, uint64_t modifier, void* argument, const void* caller) {
  (void)modifier, (void)argument;
  count(kControls);
  EXPECT(is_of_program(caller));
  if (command == 4) finalize_tool();  // omp_control_tool_end
  return 17;
}

// Returns the number that the runtime gives the construct, which the thread is in at both of its ends.
static uint64_t target_event(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* data,
                             const void* caller) {
  uint64_t where = 1, target = 0, operation = 0;
  EXPECT(device == 0 && is_of_program(caller) && data->ptr == now);
  EXPECT(get_target_info(&where, &target, &operation) != 0);
  EXPECT(where == 0 && target != 0);
  if (endpoint == ompt_scope_begin) {
    const int number = kind & 7;
    count(kTargets);
    EXPECT(number >= ompt_target && number <= ompt_target_update);
    count(kTargetRegions + number - ompt_target);
    if (kind & 8) count(kNowaits);
    now->target_kinds[now->targets++ % 8] = kind;
  } else {
    count(kTargetEnds);
    EXPECT(now->targets > 0);
    if (now->targets > 0) EXPECT_EQ(kind, now->target_kinds[--now->targets % 8]);
  }
  return target;
}
static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t* data, ompt_data_t* target_task_data, ompt_data_t* target_data,
                      const void* caller) {
  const uint64_t target = target_event(kind, endpoint, device, data, caller);
  EXPECT(target_task_data->ptr == now);
  EXPECT_EQ(target_data->value, endpoint == ompt_scope_begin ? 0 : target);
  target_data->value = target;
}
// The form of older tools. A tool that asks for both gets the newer one.
static void on_old_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t* data, ompt_id_t target, const void* caller) {
  EXPECT(kOldTargets);
  EXPECT_EQ(target, target_event(kind, endpoint, device, data, caller));
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device;
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  data->value = 42;
  struct {
    ompt_callbacks_t event;
    ompt_callback_t function;
  } const all[] = {
#define ROW(name) {ompt_callback_##name, (ompt_callback_t)on_##name}
      ROW(thread_begin), ROW(thread_end), ROW(parallel_begin), ROW(parallel_end), ROW(implicit_task),
      ROW(task_create), ROW(task_schedule), ROW(dependences), ROW(task_dependence), ROW(work), ROW(dispatch),
      ROW(masked), ROW(mutex_acquire), ROW(mutex_acquired), ROW(mutex_released), ROW(nest_lock),
      ROW(lock_init), ROW(lock_destroy), ROW(reduction), ROW(flush), ROW(cancel), ROW(error),
      ROW(control_tool),
      {ompt_callback_target, (ompt_callback_t)on_old_target},
#ifndef OLD_TARGETS
      {ompt_callback_target_emi, (ompt_callback_t)on_target},
#endif
      {ompt_callback_sync_region, (ompt_callback_t)on_sync},
      {ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_wait},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const ompt_set_result_t result = set_callback(all[i].event, all[i].function);
    EXPECT(result == ompt_set_always || result == ompt_set_sometimes);
  }
  return 1;
}

// What begins has to end. Only the threads that are still in a region when the program ends do not get that far.
static void check_balance(enum Count begins, enum Count ends) {
  if (counts[begins] != counts[ends]) complain(kNames[ends], (uint64_t)counts[ends], (uint64_t)counts[begins]);
}

static void finalize(ompt_data_t* data) {
  EXPECT_EQ(data->value, 42);
  const char* const early = getenv("CHECKER_ENDS_EARLY");  // the program ends inside a region
  if (early == NULL) {
    check_balance(kThreads, kThreadEnds);
    check_balance(kRegions, kRegionEnds);
    check_balance(kLeagues, kLeagueEnds);
    check_balance(kInitialTasks, kInitialTaskEnds);
    check_balance(kImplicitTasks, kImplicitTaskEnds);
    check_balance(kWorks, kWorkEnds);
    check_balance(kSyncs, kSyncEnds);
    check_balance(kWaits, kWaitEnds);
    check_balance(kMasked, kMaskedEnds);
    check_balance(kReductions, kReductionEnds);
    check_balance(kTargets, kTargetEnds);
    if (counts[kCancels] == 0) check_balance(kTasks, kTaskEnds);
    check_balance(kAcquired, kReleased);
  }
  fprintf(stderr, "checker:");
  for (int i = 0; i < kCounts; ++i)
    if (counts[i] != 0) fprintf(stderr, " %s %ld", kNames[i], (long)counts[i]);
  fprintf(stderr, "\n");
  if (wrong != 0) {
    fprintf(stderr, "checker: %d wrong\n", (int)wrong);
    _exit(3);
  }
}

ompt_start_tool_result_t* ompt_start_tool(unsigned omp_version, const char* runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  EXPECT(omp_version >= 201811);
  EXPECT(strncmp(runtime_version, "Vicino ", 7) == 0 || getenv("CHECKER_ANY_RUNTIME") != NULL);
  return &result;
}
