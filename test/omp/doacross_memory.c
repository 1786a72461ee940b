// A doacross loop with more iterations than there is memory for bytes: a bit for each is enough. (A byte for
// each needs 24 MB, and 12 are left.)
// test: peer gcc-12 libgomp-12 waits for ever with more threads than cores
// test: unsanitized thread it needs memory of its own
// test: unsanitized address it needs memory of its own
#include <omp.h>
#include <sys/resource.h>

#include "check.h"

enum { kLong = 24000000, kApart = 1000000 /* as below */, kRoom = 12 << 20 };

static long before[kLong / kApart + 1];

static void leave_little_memory(void) {
  long pages = 0;
  FILE* const sizes = fopen("/proc/self/statm", "r");
  CHECK(sizes != NULL && fscanf(sizes, "%ld", &pages) == 1);
  fclose(sizes);
  const rlim_t bytes = (rlim_t)pages * 4096 + kRoom;
  const struct rlimit limit = {bytes, bytes};
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

int main(void) {
  OMP(parallel)  // the threads' stacks are there before
  CHECK(omp_get_thread_num() >= 0);
  leave_little_memory();
  OMP(parallel for ordered(1) schedule(static, kApart))
  for (int i = 0; i < kLong; ++i) {
    if (i % kApart == 0) {
      OMP(ordered depend(sink : i - 1000000))
      before[i / kApart + 1] = before[i / kApart] + i;
    }
    OMP(ordered depend(source))
  }
  long sum = 0;
  for (long i = 0; i < kLong; i += kApart) sum += i;
  CHECK_EQ(before[kLong / kApart], sum);
  return check_result();
}
