// copyprivate by the entry point that hands out a pointer: compiled code copies, and then has a
// barrier.
// test: skip gcc libgomp has no such entry point
// test: uses threads=1,2,7
#include <omp.h>

#include "check.h"

int __kmpc_global_thread_num(void* where);
int __kmpc_single(void* where, int gtid);
void __kmpc_end_single(void* where, int gtid);
void* __kmpc_copyprivate_light(void* where, int gtid, void* data);
void __kmpc_barrier(void* where, int gtid);

int main(void) {
  int singles = 0;
#pragma omp parallel reduction(+ : singles)
  {
    const int gtid = __kmpc_global_thread_num(NULL);
    for (int round = 1; round <= 300; ++round) {
      int value = -omp_get_thread_num(), mine = 0;
      if (__kmpc_single(NULL, gtid)) {
        mine = 1;
        value = round;
        __kmpc_end_single(NULL, gtid);
      }
      const int* given = __kmpc_copyprivate_light(NULL, gtid, mine ? &value : NULL);
      CHECK(given != NULL && (!mine || given == &value));
      value = *given;
      __kmpc_barrier(NULL, gtid);
      CHECK_EQ(value, round);
      singles += mine;
      value = 0;  // the owner's is not read any more
    }
  }
  CHECK_EQ(singles, 300);
  return check_result();
}
