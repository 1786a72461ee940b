// test: uses threads=1,4
// test: peer gcc libgomp knows neither OpenMP 6.0's traits nor LLVM's spaces
// test: peer clang libomp ends the program at traits that OpenMP 6.0 has added
// Memory spaces, predefined allocators and traits by all the numbers that headers of released
// compilers give them: the compiler of this program need not know the names.
#include <omp.h>
#include <stdint.h>

#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static omp_allocator_handle_t made_of(uintptr_t space, int key, uintptr_t value) {
  omp_alloctrait_t trait = {(omp_alloctrait_key_t)key, (omp_uintptr_t)value};
  return omp_init_allocator((omp_memspace_handle_t)space, key == 0 ? 0 : 1, &trait);
}

static void check_memory(omp_allocator_handle_t allocator) {
  unsigned char* const block = omp_alloc(1000, allocator);
  CHECK(block != NULL);
  if (block == NULL) return;
  memset(block, 5, 1000);
  CHECK_EQ(block[999], 5);
  omp_free(block, allocator);
}

static void check_made(uintptr_t space, int key, uintptr_t value) {
  const omp_allocator_handle_t made = made_of(space, key, value);
  if (made == omp_null_allocator) fprintf(stderr, "space %zu trait %d %zu\n", space, key, value);
  CHECK(made != omp_null_allocator);
  if (made == omp_null_allocator) return;
  check_memory(made);
  omp_destroy_allocator(made);
}

int main(void) {
  // 0 and 99 are the default space, of gcc and of LLVM; 5 that of a contention group; 100 to 102
  // and 200 are for memory that devices can reach.
  static const uintptr_t kSpaces[] = {0, 1, 2, 3, 4, 5, 99, 100, 101, 102, 200};
  for (unsigned i = 0; i < COUNT(kSpaces); ++i) check_made(kSpaces[i], 0, 0);
  static const uintptr_t kNone[] = {6, 98, 103, 201, 1000};
  for (unsigned i = 0; i < COUNT(kNone); ++i) CHECK(made_of(kNone[i], 0, 0) == omp_null_allocator);

  // 200: pinned, which the limit for locked memory may forbid; 201 and LLVM's: ordinary memory.
  static const uintptr_t kAllocators[] = {201, 100, 101, 102};
  for (unsigned i = 0; i < COUNT(kAllocators); ++i)
    check_memory((omp_allocator_handle_t)kAllocators[i]);
  void* const pinned = omp_alloc(100, (omp_allocator_handle_t)200);
  omp_free(pinned, (omp_allocator_handle_t)200);

  static const struct {
    int key;
    uintptr_t first, last;
  } kTraits[] = {{3, 7, 10},         // access: all or device, thread, pteam, cgroup
                 {3, 19, 19},        // access: all
                 {3, 22, 22},        // access: memspace
                 {9, 0, 1},          // pin_device
                 {10, 0, 1},         // preferred_device
                 {11, 20, 21},       // device_access: single, multiple
                 {12, 20, 21},       // target_access
                 {13, 19, 19},       // atomic_scope: all
                 {13, 7, 7},         // atomic_scope: device
                 {14, 4096, 4096}};  // part_size
  for (unsigned i = 0; i < COUNT(kTraits); ++i)
    for (uintptr_t value = kTraits[i].first; value <= kTraits[i].last; ++value)
      check_made(99, kTraits[i].key, value);
  static const struct {
    int key;
    uintptr_t value;
  } kBad[] = {{3, 6}, {3, 20}, {11, 19}, {12, 0}, {13, 8}, {14, 0}, {15, 0}};
  for (unsigned i = 0; i < COUNT(kBad); ++i)
    CHECK(made_of(99, kBad[i].key, kBad[i].value) == omp_null_allocator);
  return check_result();
}
