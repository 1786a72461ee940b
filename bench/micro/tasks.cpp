// tasks.cpp: generating, running and waiting for tasks, in the shapes of EPCC's task overheads.
//
// A task's body is one increment on its thread's own line. Tasks are counted over the team: if two
// threads do one each in 20 ns, the figure is 10 ns. The runtime chooses which thread runs a task,
// so only the sum is checked; a task that is lost or done twice shows.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

// Every thread generates its share, and all wait at the region's end.
bool parallel_tasks(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp task
      tally.add(omp_get_thread_num());
    }
  }
  return tally.sum() == ops;
}

// One thread generates for all; the others are at the barrier.
bool master_tasks(long ops, int) {
  Tally tally;
#pragma omp parallel
#pragma omp master
  for (long i = 0; i < ops; ++i) {
#pragma omp task
    tally.add(omp_get_thread_num());
  }
  return tally.sum() == ops;
}

// A task with a false if clause is run at once.
bool undeferred(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp task if (ops < 0)
      tally.add(omp_get_thread_num());
    }
  }
  return tally.sum() == ops;
}

bool taskwait(long ops, int threads) {
  Tally tally;
  long early = 0;
#pragma omp parallel reduction(+ : early)
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
      bool done = false;
#pragma omp task shared(done)
      {
        tally.add(omp_get_thread_num());
        done = true;
      }
#pragma omp taskwait
      early += !done;
    }
  }
  return early == 0 && tally.sum() == ops;
}

bool taskgroup(long ops, int threads) {
  Tally tally;
  long early = 0;
#pragma omp parallel reduction(+ : early)
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
      bool done = false;
#pragma omp taskgroup
      {
#pragma omp task shared(done)
        {
          tally.add(omp_get_thread_num());
          done = true;
        }
      }
      early += !done;
    }
  }
  return early == 0 && tally.sum() == ops;
}

// A task in each task; the outer one waits for the inner.
bool nested(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp task
      {
#pragma omp task
        tally.add(omp_get_thread_num());
#pragma omp taskwait
      }
    }
  }
  return tally.sum() == ops;
}

// One thread generates the tasks; they have children of their own, and no task waits for a child.
bool nested_master(long ops, int) {
  Tally tally;
#pragma omp parallel
#pragma omp master
  for (long i = 0; i < ops; ++i) {
#pragma omp task
    {
#pragma omp task
      tally.add(omp_get_thread_num());
    }
  }
  return tally.sum() == ops;
}

// One task for each thread and barrier.
bool barrier_tasks(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  for (long i = 0; i < ops; ++i) {
#pragma omp task
    tally.add(omp_get_thread_num());
#pragma omp barrier
  }
  return tally.sum() == ops * threads;
}

// The barriers of a region that has had tasks should not cost more because of them.
bool barrier_after_tasks(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
#pragma omp task
    tally.add(omp_get_thread_num());
    for (long i = 0; i < ops; ++i) {
#pragma omp barrier
    }
  }
  return tally.sum() == threads;
}

// A task for each iteration. The index is unsigned, because clang compares its own bounds with it.
bool taskloop(long ops, int) {
  Tally tally;
#pragma omp parallel
#pragma omp master
#pragma omp taskloop grainsize(1)
  for (unsigned long i = 0; i < static_cast<unsigned long>(ops); ++i)
    tally.add(omp_get_thread_num());
  return tally.sum() == ops;
}

// The runtime chooses the grain; 64 iterations a thread: the construct with all that it waits for.
bool taskloop_whole(long ops, int threads) {
  Tally tally;
  const long trip = 64L * threads;
#pragma omp parallel
#pragma omp master
  for (long i = 0; i < ops; ++i) {
#pragma omp taskloop
    for (unsigned long k = 0; k < static_cast<unsigned long>(trip); ++k)
      tally.add(omp_get_thread_num());
  }
  return tally.sum() == ops * trip;
}

bool depend_chain(long ops, int) {
  long links = 0, broken = 0;
#pragma omp parallel
#pragma omp master
  for (long i = 0; i < ops; ++i) {
#pragma omp task depend(inout : links) shared(links, broken)
    broken += links++ != i;
  }
  return broken == 0 && links == ops;
}

bool depend_free(long ops, int) {
  Tally tally;
  [[maybe_unused]] char addresses[64];
#pragma omp parallel
#pragma omp master
  for (long i = 0; i < ops; ++i) {
#pragma omp task depend(in : addresses[i % 64])
    tally.add(omp_get_thread_num());
  }
  return tally.sum() == ops;
}

constexpr Construct kFamily[] = {
    {"parallel_tasks", "task, all threads generate", parallel_tasks},
    {"master_tasks", "task, one thread generates", master_tasks},
    {"task_undeferred", "task with a false if clause", undeferred},
    {"taskwait", "task and taskwait", taskwait},
    {"taskgroup", "taskgroup of one task", taskgroup},
    {"nested_tasks", "task with a task and taskwait in it", nested},
    {"nested_master", "task with a task in it, one thread generates", nested_master},
    {"barrier_tasks", "a task for each thread, and a barrier", barrier_tasks},
    {"barrier_after", "barrier after a task in the same region", barrier_after_tasks},
    {"taskloop", "iteration of taskloop grainsize(1)", taskloop},
    {"taskloop_whole", "taskloop, 64 iterations a thread", taskloop_whole},
    {"depend_chain", "task that depends on the one before", depend_chain},
    {"depend_free", "task with a dependence that nothing waits for", depend_free},
};

}  // namespace

std::span<const Construct> task_family() { return kFamily; }

}  // namespace bench
