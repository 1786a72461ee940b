// A threadprivate array of objects by LLVM's entry points: the copies are made and ended by functions
// that get the array's length.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7
// test: peer clang-19 libomp 19 refuses copy constructors of arrays, and does not end a root's copies
#include <omp.h>
#include <pthread.h>

#include "check.h"

typedef void* Construct(void* copy, size_t length);
typedef void* CopyConstruct(void* copy, void* original, size_t length);
typedef void Destroy(void* copy, size_t length);
int __kmpc_global_thread_num(void* where);
void __kmpc_threadprivate_register_vec(void* where, void* original, Construct* construct,
                                       CopyConstruct* copy_construct, Destroy* destroy,
                                       size_t length);
void* __kmpc_threadprivate_cached(void* where, int gtid, void* original, size_t size,
                                  void*** cache);

enum { kLength = 3 };
typedef int Objects[kLength];
static Objects built, copied, plain;
static void **cache_of_built, **cache_of_copied, **cache_of_plain;
static int made, copies, destroyed;

static void* construct(void* copy, size_t length) {
  CHECK_EQ(length, kLength);
  for (size_t i = 0; i < length; ++i) ((int*)copy)[i] = 10 + (int)i;
#pragma omp atomic
  ++made;
  return copy;
}
static void* copy_construct(void* copy, void* original, size_t length) {
  CHECK_EQ(length, kLength);
  memcpy(copy, original, length * sizeof(int));
#pragma omp atomic
  ++copies;
  return copy;
}
static void destroy(void* copy, size_t length) {
  CHECK_EQ(length, kLength);
  for (size_t i = 0; i < length; ++i) CHECK_EQ(((int*)copy)[i], 20 + (int)i);
#pragma omp atomic
  ++destroyed;
}

static int* copy_of(Objects* original, void*** cache) {
  return __kmpc_threadprivate_cached(NULL, __kmpc_global_thread_num(NULL), original,
                                     sizeof(Objects), cache);
}

static void use_copies(void) {
  int* const mine = copy_of(&built, &cache_of_built);
  for (int i = 0; i < kLength; ++i) {
    CHECK_EQ(mine[i], mine == built ? 1 : 10 + i);
    mine[i] = 20 + i;
  }
  for (int i = 0; i < kLength; ++i) CHECK_EQ(copy_of(&copied, &cache_of_copied)[i], 3);
  // Without functions a copy has the variable's value.
  for (int i = 0; i < kLength; ++i) CHECK_EQ(copy_of(&plain, &cache_of_plain)[i], 2);
}

static void* run_thread(void* unused) {
  use_copies();
  return unused;
}

int main(void) {
  for (int i = 0; i < kLength; ++i) built[i] = 1, plain[i] = 2, copied[i] = 3;
  __kmpc_global_thread_num(NULL);  // libomp forgets what is registered before its first other call
  __kmpc_threadprivate_register_vec(NULL, built, construct, NULL, destroy, kLength);
  __kmpc_threadprivate_register_vec(NULL, copied, NULL, copy_construct, NULL, kLength);
  __kmpc_threadprivate_register_vec(NULL, plain, NULL, NULL, NULL, kLength);
#pragma omp parallel
  use_copies();
  CHECK_EQ(made, omp_get_max_threads() - 1);  // the first thread has the variable itself
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, run_thread, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQ(made, omp_get_max_threads());
  CHECK(copies >= made);
  CHECK_EQ(destroyed, 1);
  return check_result();
}
