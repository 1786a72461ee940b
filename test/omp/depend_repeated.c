// Tasks that are generated again and again: the same each time, in turns, or a little different each
// time. A reader sees what the last writer before it has written, and a writer all readers.
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>

#include "check.h"

enum { kRounds = 60, kData = 12, kTasks = 150 };

static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static long data[kData], seen[kTasks], expected[kTasks];
static int ran[kTasks];

// Tasks without dependences, so many that some run at once, on top of the thread that generates.
static int plain;
static void generate_plain(void) {
  for (int i = 0; i < 400; ++i) {
#pragma omp task
    {
#pragma omp taskyield
      __atomic_fetch_add(&plain, 1, __ATOMIC_RELAXED);
    }
  }
}

// Task i of a seed: it reads one datum and adds to another. With the value of the round, since a
// task has to have the data of this round.
static void generate(unsigned seed, int tasks, long round) {
  long now[kData];
  unsigned state = seed;
  for (int d = 0; d < kData; ++d) now[d] = data[d];
  for (int i = 0; i < tasks; ++i) {
    const int from = (int)(next_random(&state) % kData), to = (int)(next_random(&state) % kData);
    expected[i] = now[from];
    now[to] += now[from] % 1000 + round;
    ran[i] = 0;
#pragma omp task depend(in : data[from]) depend(inout : data[to]) firstprivate(i, from, to, round)
    {
      seen[i] = data[from];
      data[to] += data[from] % 1000 + round;
      ++ran[i];
    }
    if (seed % 7 == 1 && i == tasks / 4) generate_plain();
    // Some sequences end in the middle.
    if (seed % 3 == 1 && i == tasks / 2) {
#pragma omp taskwait
    }
    if (seed % 3 == 2 && i == tasks / 2) {
#pragma omp task depend(out : data[0]) if (0)
      data[0] += 0;
    }
    if (seed % 5 == 3 && i == tasks / 3) {
#pragma omp taskyield
    }
  }
}

static void check_round(int tasks) {
  for (int i = 0; i < tasks; ++i) {
    CHECK(ran[i] == 1);
    CHECK(seen[i] == expected[i]);
  }
}

int main(void) {
  for (int kind = 0; kind < 4; ++kind)
    for (unsigned seed = 1; seed < 16; ++seed)
#pragma omp parallel
#pragma omp single
      for (int round = 0; round < kRounds / 4; ++round) {
        // The same; two in turns; the same with an end that differs; all different.
        const unsigned its_seed = kind == 1   ? seed + (unsigned)(round % 2)
                                  : kind == 3 ? seed + 100u * (unsigned)round
                                              : seed;
        const int tasks = kind == 2 ? kTasks - round % 3 : kTasks;
        if (round % 2 == 0) {
          generate(its_seed, tasks, round);
#pragma omp taskwait
        } else {
#pragma omp taskgroup
          generate(its_seed, tasks, round);
        }
        check_round(tasks);
      }

  // The end of the region waits, and so does a barrier; several threads generate at once.
  static long own[64][2];
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num() % 64;
      for (int i = 0; i < 20; ++i) {
#pragma omp task depend(inout : own[me][0]) firstprivate(me)
        ++own[me][0];
      }
      if (round % 2 == 0) {
#pragma omp barrier
        CHECK(own[me][0] % 20 == 0 || omp_get_num_threads() > 64);
      }
    }
    for (int i = 0; i < omp_get_max_threads() && i < 64; ++i)
      CHECK(own[i][0] == 20 * (round + 1) || omp_get_max_threads() > 64);
  }
  return check_result();
}
