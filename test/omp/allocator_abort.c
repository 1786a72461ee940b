// An allocator with the fallback abort_fb ends the program when its pool is used up.
// test: exit -6
// test: peer gcc-12 libgomp ends the program with exit status 1
#include <omp.h>

#include "check.h"

int main(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_abort_fb}};
  const omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  CHECK(omp_alloc(1000, pool) != NULL);
  omp_alloc(8000, pool);
  return 0;
}
