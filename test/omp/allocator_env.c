// OMP_ALLOCATOR: the allocator that is meant by no allocator. The program's own argument is what the
// variable describes.
// test: uses OMP_ALLOCATOR=omp_cgroup_mem_alloc
// test: variant space OMP_ALLOCATOR=omp_default_mem_space:alignment=512,pool_size=2048,fallback=null_fb
// test: variant bare OMP_ALLOCATOR=omp_large_cap_mem_space
// test: peer gcc-12@bare libgomp 12 cannot read this value
// test: peer clang-19@bare libomp 19 makes another allocator of it
// test: peer clang-19@ libomp 19 takes the default allocator for omp_cgroup_mem_alloc
// test: peer gcc-12@space libgomp 12 cannot read this value
#include <omp.h>
#include <stdint.h>

#include "check.h"

int main(void) {
  const omp_allocator_handle_t by_default = omp_get_default_allocator();
  const char* const asked = getenv("OMP_ALLOCATOR");
  const int has_space = strstr(asked, "space:") != NULL;
  if (strcmp(asked, "omp_cgroup_mem_alloc") == 0) CHECK(by_default == omp_cgroup_mem_alloc);
  if (strcmp(asked, "omp_large_cap_mem_space") == 0) CHECK(by_default == omp_large_cap_mem_alloc);
  void* const first = omp_alloc(1024, omp_null_allocator);
  CHECK(first != NULL);
  if (has_space) {
    CHECK((uintptr_t)first % 512 == 0);
    CHECK(omp_alloc(4096, omp_null_allocator) == NULL);
  }
#pragma omp parallel
  {
    CHECK(omp_get_default_allocator() == by_default);
    if (has_space) CHECK(omp_alloc(2000, omp_null_allocator) == NULL);
  }
  omp_free(first, omp_null_allocator);
  return check_result();
}
