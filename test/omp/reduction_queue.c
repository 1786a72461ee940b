// A reduction in which no thread waits for another, in a larger team whose threads have a CPU each: the
// runtime combines, as the threads' attempts to add to one variable would be mostly in vain. Threads
// that share CPUs add by themselves, and so do those of a small team.
// test: uses clang
// test: variant wide clang machine=epyc-7713-64 WAY=combine
// test: variant narrow clang machine=plain-2x4 WAY=add
// test: peer clang-19@wide libomp combines in each team of more than four threads
// test: peer clang-19@narrow libomp combines in each team of more than four threads
#include <omp.h>
#include <stdint.h>

#include "check.h"

typedef struct {
  int32_t reserved_1, flags, reserved_2, reserved_3;
  const char* source;
} Ident;
int __kmpc_global_thread_num(void* where);
int __kmpc_reduce_nowait(Ident* where, int gtid, int vars, size_t size, void* data,
                         void (*combine)(void* into, void* from), int32_t* name);
void __kmpc_end_reduce_nowait(Ident* where, int gtid, int32_t* name);

enum { kAtomicReduce = 0x10, kRounds = 20 };
static int32_t name[8];

static void combine(void* into, void* from) { *(*(long**)into) += *(*(long**)from); }

// What compiled code does. Returns how many threads were told to add by themselves.
static int reduce(int size) {
  static Ident where = {0, kAtomicReduce, 0, 0, ";file;function;1;1;;"};
  long sum = 0;
  int adding = 0;
#pragma omp parallel num_threads(size)
  {
    CHECK_EQ(omp_get_num_threads(), size);
    const int gtid = __kmpc_global_thread_num(NULL);
    long mine = omp_get_thread_num() + 1;
    void* data[] = {&mine};
    switch (__kmpc_reduce_nowait(&where, gtid, 1, sizeof data, data, combine, name)) {
      case 1:
        sum += mine;
        __kmpc_end_reduce_nowait(&where, gtid, name);
        break;
      case 2:
        __atomic_fetch_add(&sum, mine, __ATOMIC_RELAXED);
        __atomic_fetch_add(&adding, 1, __ATOMIC_RELAXED);
        break;
    }
  }
  CHECK_EQ(sum, (long)size * (size + 1) / 2);
  return adding;
}

int main(void) {
  const char* way = getenv("WAY");
  const int adding = way != NULL && strcmp(way, "combine") == 0 ? 0 : 16;
  for (int round = 0; round < kRounds; ++round) {
    const int wide = reduce(16), small = reduce(8);
    if (way == NULL) continue;
    CHECK_EQ(wide, adding);
    CHECK_EQ(small, 8);
  }
  return check_result();
}
