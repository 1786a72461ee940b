// Proxy tasks, which Intel's libomptarget makes: such a task ends when its body has ended and its
// completion was told, in either order, by the body itself or by a thread that is in no team. And
// tasks that are queued under the name that older compilers have for a part.
// test: peer gcc libgomp has no such entry points
// test: uses threads=1,2,7
// test: peer clang-19 libomp 19 ends the program where the body completes its own task
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "kmpc_tasks.h"

typedef struct {
  Task head;
  int* done;
  pthread_t* thread;
} Mine;

static int (*task_parts)(void* where, int gtid, Task* task);
static void (*completed)(int gtid, Task* task);
static void (*completed_ooo)(Task* task);

enum { kTasks = 20 };

static void* complete_later(void* task) {
  usleep(2000);  // the body may have ended
  __atomic_store_n(((Mine*)task)->done, 1, __ATOMIC_RELAXED);
  completed_ooo(task);
  return NULL;
}
static int by_thread(int gtid, Task* task) {
  (void)gtid;
  pthread_create(((Mine*)task)->thread, NULL, complete_later, task);
  return 0;
}
static int by_itself(int gtid, Task* task) {
  __atomic_store_n(((Mine*)task)->done, 1, __ATOMIC_RELAXED);
  completed(gtid, task);
  return 0;
}
static int plain(int gtid, Task* task) {
  (void)gtid;
  __atomic_store_n(((Mine*)task)->done, 1, __ATOMIC_RELAXED);
  return 0;
}

static Task* make(int flags, Routine* routine, size_t size, int* done, pthread_t* thread) {
  Task* task = kmpc.task_alloc(NULL, kmpc.global_thread_num(NULL), flags, size, 0, routine);
  Mine* const mine = (Mine*)task;
  memset(mine + 1, 7, size - sizeof(Mine));
  mine->done = done;
  mine->thread = thread;
  *done = 0;
  return task;
}

// One task of each size at a time, and many; the largest has its memory for itself.
static void check_wait(Routine* routine, int has_thread) {
  static const size_t sizes[] = {sizeof(Mine), 2000, 300000};
  for (int s = 0; s < 3; ++s) {
    int done[kTasks];
    pthread_t threads[kTasks];
    for (int i = 0; i < kTasks; ++i) {
      Task* task = make(kTied | kProxy, routine, sizes[s], &done[i], &threads[i]);
      kmpc.task(NULL, kmpc.global_thread_num(NULL), task);
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
  Task* task = make(kTied | kProxy, by_thread, sizeof(Mine), &done, &thread);
  Dependence out = {&done, sizeof done, kInout};
  kmpc.task_with_deps(NULL, kmpc.global_thread_num(NULL), task, 1, &out, 0, NULL);
#pragma omp task depend(in : done) shared(after, done)
  after = __atomic_load_n(&done, __ATOMIC_RELAXED) + 1;
#pragma omp taskwait
  CHECK_EQ(after, 2);
  pthread_join(thread, NULL);
}

static void check_parts(void) {
  int done[kTasks];
  for (int i = 0; i < kTasks; ++i) {
    Task* task = make(kTied, plain, sizeof(Mine), &done[i], NULL);
    CHECK_EQ(task_parts(NULL, kmpc.global_thread_num(NULL), task), 0);
  }
#pragma omp taskwait
  for (int i = 0; i < kTasks; ++i) CHECK_EQ(__atomic_load_n(&done[i], __ATOMIC_RELAXED), 1);
}

int main(void) {
  if (!find_kmpc() || !find_entry(&task_parts, "__kmpc_omp_task_parts") ||
      !find_entry(&completed, "__kmpc_proxy_task_completed") ||
      !find_entry(&completed_ooo, "__kmpc_proxy_task_completed_ooo"))
    return check_result();
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
    Task* task = make(kTied | kProxy, by_thread, sizeof(Mine), &done, &thread);
    kmpc.task(NULL, kmpc.global_thread_num(NULL), task);
#pragma omp barrier
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_RELAXED), 1);
    pthread_join(thread, NULL);
  }
  return check_result();
}
