// Dependences by omp_depend_t and by iterators, mixed with plain ones.
// test: skip clang<14 its code leaves the kind of a dependence unset, which libomp asserts against
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>

#include "check.h"

enum { kCells = 24 };

static void objects(void) {
  int x = 0;
  omp_depend_t writes, reads, excludes;
#pragma omp depobj(writes) depend(inout : x)
#pragma omp depobj(reads) depend(in : x)
#pragma omp depobj(excludes) depend(mutexinoutset : x)
  for (int i = 0; i < 20; ++i) {
#pragma omp task depend(depobj : writes) shared(x) firstprivate(i)
    {
      CHECK_EQ(x, 2 * i);
      ++x;
    }
#pragma omp task depend(depobj : reads) shared(x) firstprivate(i)
    CHECK_EQ(x, 2 * i + 1);
#pragma omp task depend(in : x) shared(x) firstprivate(i)
    CHECK_EQ(x, 2 * i + 1);
#pragma omp task depend(depobj : excludes) shared(x) firstprivate(i)
    {
      CHECK_EQ(x, 2 * i + 1);
      ++x;
    }
  }
#pragma omp taskwait depend(depobj : reads)
  CHECK_EQ(x, 40);
#pragma omp depobj(reads) update(out)
#pragma omp task depend(depobj : reads) shared(x)
  x = 50;
#pragma omp task depend(in : x) shared(x)
  CHECK_EQ(x, 50);
#pragma omp taskwait
#pragma omp depobj(writes) destroy
#pragma omp depobj(reads) destroy
#pragma omp depobj(excludes) destroy
}

static void chain(omp_depend_t* object) {
  int done = 0;
  for (int i = 0; i < 10; ++i)
#pragma omp task depend(depobj : *object) shared(done) firstprivate(i)
  {
    CHECK_EQ(done, i);
    ++done;
  }
#pragma omp taskwait
  CHECK_EQ(done, 10);
}

// A task makes the object, its parent's children use it, and so do the children of two of these, each
// in an order of their own.
static void used_elsewhere(void) {
  int x = 0;
  omp_depend_t object;
#pragma omp task if (0) shared(object, x)
  {
#pragma omp depobj(object) depend(inout : x)
  }
  chain(&object);
  for (int i = 0; i < 2; ++i)
#pragma omp task shared(object)
  chain(&object);
#pragma omp taskwait
#pragma omp task shared(object) if (0)
  {
#pragma omp depobj(object) destroy
  }
}

static void iterators(void) {
  int cell[kCells] = {0}, sum = 0;
  for (int round = 1; round <= 5; ++round) {
    for (int i = 0; i < kCells; ++i)
#pragma omp task depend(inout : cell[i]) shared(cell) firstprivate(i)
      cell[i] += i;
#pragma omp task depend(iterator(k = 0 : kCells), in : cell[k]) depend(inout : sum) \
    shared(cell, sum) firstprivate(round)
    {
      int now = 0;
      for (int i = 0; i < kCells; ++i) now += cell[i];
      CHECK_EQ(now, round * kCells * (kCells - 1) / 2);
      ++sum;
    }
  }
#pragma omp taskwait depend(iterator(k = 0 : kCells : 2), inout : cell[k]) depend(in : sum)
  CHECK_EQ(sum, 5);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; ++round) {
    objects();
    used_elsewhere();
    iterators();
  }
  return check_result();
}
