// The product of loops of which the inner one never runs, since its beginning depends on the outer one. clang says its
// number of iterations less one, as 64 bits without sign.
// test: uses clang
// test: peer clang libomp-19 divides by zero, or never ends
#include <omp.h>

#include "check.h"

#define NOTHING(name, directive)                  \
  static void name(long rows) {                   \
    long ran = 0;                                 \
    OMP(directive collapse(2) reduction(+ : ran)) \
    for (long i = 0; i < rows; ++i)               \
      for (long j = i + 1; j < rows; ++j) ++ran;  \
    CHECK_EQ(ran, 0);                             \
  }
NOTHING(blocks, parallel for)
NOTHING(chunks, parallel for schedule(static, 3))
NOTHING(dynamic, parallel for schedule(dynamic, 2))
NOTHING(guided, parallel for schedule(guided))
NOTHING(runtime, parallel for schedule(runtime))
NOTHING(ordered_loop, parallel for ordered)
NOTHING(vectors, parallel for simd schedule(simd : static, 2))
NOTHING(tasks, parallel master taskloop)
NOTHING(teams, teams distribute num_teams(3))
NOTHING(chunks_of_teams, teams distribute num_teams(3) dist_schedule(static, 2))
NOTHING(threads_of_teams, teams distribute parallel for num_teams(3))
NOTHING(chunks_of_threads, teams distribute parallel for num_teams(3) schedule(static, 2))
NOTHING(both_in_chunks, teams distribute parallel for num_teams(3) dist_schedule(static, 2))
NOTHING(dynamic_threads, teams distribute parallel for num_teams(3) schedule(dynamic))

int main(void) {
  volatile long rows = 1;
  blocks(rows);
  chunks(rows);
  dynamic(rows);
  guided(rows);
  runtime(rows);
  ordered_loop(rows);
  vectors(rows);
  tasks(rows);
  teams(rows);
  chunks_of_teams(rows);
  threads_of_teams(rows);
  chunks_of_threads(rows);
  both_in_chunks(rows);
  dynamic_threads(rows);
  return check_result();
}
