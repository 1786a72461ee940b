// Proxy tasks, which Intel's libomptarget makes: such a task ends when its body has ended and its
// completion was told, in either order, by the body itself or by a thread that is in no team. And
// tasks that are queued under the name that older compilers have for a part.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7
// test: peer clang-19 libomp 19 ends the program where the body completes its own task
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

typedef struct Task Task;
typedef int Routine(int gtid, Task* task);
struct Task {
  void* shareds;
  Routine* routine;
  int part_id;
  void *data1, *data2;
  // Of this program:
  int* done;
  pthread_t* thread;
};
typedef struct {
  const void* address;
  size_t bytes;
  unsigned char kind;
} Dependence;

int __kmpc_global_thread_num(void* where);
Task* __kmpc_omp_task_alloc(void* where, int gtid, int flags, size_t size, size_t shareds,
                            Routine* routine);
int __kmpc_omp_task(void* where, int gtid, Task* task);
int __kmpc_omp_task_parts(void* where, int gtid, Task* task);
int __kmpc_omp_task_with_deps(void* where, int gtid, Task* task, int count, Dependence* list,
                              int more_count, Dependence* more);
void __kmpc_proxy_task_completed(int gtid, Task* task);
void __kmpc_proxy_task_completed_ooo(Task* task);

enum { kTied = 1, kProxy = 0x10, kOut = 3, kTasks = 20 };

static void* complete_later(void* task) {
  usleep(2000);  // the body may have ended
  __atomic_store_n(((Task*)task)->done, 1, __ATOMIC_RELAXED);
  __kmpc_proxy_task_completed_ooo(task);
  return NULL;
}
static int by_thread(int gtid, Task* task) {
  (void)gtid;
  pthread_create(task->thread, NULL, complete_later, task);
  return 0;
}
static int by_itself(int gtid, Task* task) {
  __atomic_store_n(task->done, 1, __ATOMIC_RELAXED);
  __kmpc_proxy_task_completed(gtid, task);
  return 0;
}
static int plain(int gtid, Task* task) {
  (void)gtid;
  __atomic_store_n(task->done, 1, __ATOMIC_RELAXED);
  return 0;
}

static Task* make(int flags, Routine* routine, size_t size, int* done, pthread_t* thread) {
  Task* task = __kmpc_omp_task_alloc(NULL, __kmpc_global_thread_num(NULL), flags, size, 0, routine);
  memset((char*)task + sizeof(Task), 7, size - sizeof(Task));
  task->done = done;
  task->thread = thread;
  *done = 0;
  return task;
}

// One task of each size at a time, and many; the largest has its memory for itself.
static void check_wait(Routine* routine, int has_thread) {
  static const size_t sizes[] = {sizeof(Task), 2000, 300000};
  for (int s = 0; s < 3; ++s) {
    int done[kTasks];
    pthread_t threads[kTasks];
    for (int i = 0; i < kTasks; ++i) {
      Task* task = make(kTied | kProxy, routine, sizes[s], &done[i], &threads[i]);
      __kmpc_omp_task(NULL, __kmpc_global_thread_num(NULL), task);
      if (i % 3 != 0) continue;
#pragma omp taskwait
      for (int k = 0; k <= i; ++k) CHECK_EQ(__atomic_load_n(&done[k], __ATOMIC_RELAXED), 1);
    }
#pragma omp taskwait
    for (int i = 0; i < kTasks; ++i) {
      CHECK_EQ(__atomic_load_n(&done[i], __ATOMIC_RELAXED), 1);
      if (has_thread) pthread_join(threads[i], NULL);
    }
  }
}

static void check_dependence(void) {
  int done, after = 0;
  pthread_t thread;
  Task* task = make(kTied | kProxy, by_thread, sizeof(Task), &done, &thread);
  Dependence out = {&done, sizeof done, kOut};
  __kmpc_omp_task_with_deps(NULL, __kmpc_global_thread_num(NULL), task, 1, &out, 0, NULL);
#pragma omp task depend(in : done) shared(after, done)
  after = __atomic_load_n(&done, __ATOMIC_RELAXED) + 1;
#pragma omp taskwait
  CHECK_EQ(after, 2);
  pthread_join(thread, NULL);
}

static void check_parts(void) {
  int done[kTasks];
  for (int i = 0; i < kTasks; ++i) {
    Task* task = make(kTied, plain, sizeof(Task), &done[i], NULL);
    CHECK_EQ(__kmpc_omp_task_parts(NULL, __kmpc_global_thread_num(NULL), task), 0);
  }
#pragma omp taskwait
  for (int i = 0; i < kTasks; ++i) CHECK_EQ(__atomic_load_n(&done[i], __ATOMIC_RELAXED), 1);
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    {
      check_wait(by_thread, 1);
      check_wait(by_itself, 0);
      check_dependence();
      check_parts();
    }
    // A proxy that the region's end waits for.
    int done;
    pthread_t thread;
    Task* task = make(kTied | kProxy, by_thread, sizeof(Task), &done, &thread);
    __kmpc_omp_task(NULL, __kmpc_global_thread_num(NULL), task);
#pragma omp barrier
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_RELAXED), 1);
    pthread_join(thread, NULL);
  }
  return check_result();
}
