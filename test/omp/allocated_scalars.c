// test: uses threads=1,4,16
// test: peer gcc<14 libgomp has no function for them before 14
// test: peer clang libomp has no function for them
// Scalars of Fortran that an allocator gave their memory, or malloc(): the runtime is asked which.
// gfortran 14 and newer make these calls; here the program makes them, from many threads at once.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>

#include "check.h"

typedef void Add(void*);
typedef bool Is(void*);

enum { kScalars = 2000 };

int main(void) {
  Add* const add = (Add*)dlsym(RTLD_DEFAULT, "GOMP_add_alloc");
  Is* const is = (Is*)dlsym(RTLD_DEFAULT, "GOMP_is_alloc");
  CHECK(add != NULL && is != NULL);
  if (add == NULL || is == NULL) return check_result();
  add(NULL);
  CHECK(!is(NULL));
#pragma omp parallel
  {
    static __thread void* scalars[kScalars];
    for (int i = 0; i < kScalars; ++i) {
      scalars[i] = i % 3 == 0 ? malloc(8) : omp_alloc(8, omp_default_mem_alloc);
      if (i % 3 != 0) add(scalars[i]);
    }
    for (int i = 0; i < kScalars; ++i) {
      const bool allocated = is(scalars[i]);
      CHECK_EQ(allocated, i % 3 != 0);
      CHECK(!is(scalars[i]));  // it is known no more
      if (allocated)
        omp_free(scalars[i], omp_null_allocator);
      else
        free(scalars[i]);
    }
  }
  // A block that one thread has allocated is freed by another.
  void* given[64] = {0};
#pragma omp parallel for
  for (int i = 0; i < 64; ++i) add(given[i] = omp_alloc(16, omp_default_mem_alloc));
#pragma omp parallel for schedule(static, 1)
  for (int i = 63; i >= 0; --i) {
    CHECK(is(given[i]));
    omp_free(given[i], omp_null_allocator);
  }
  return check_result();
}
