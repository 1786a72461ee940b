// num_threads clauses that are strict or have a list, by LLVM's entry points, for the compilers here do
// not know such clauses.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7 OMP_THREAD_LIMIT=30
// test: peer clang-19 libomp 19 refuses a list of one number; dyn-var makes a strict region smaller
#include <omp.h>

#include "check.h"
#include "child.h"

int __kmpc_global_thread_num(void* where);
void __kmpc_push_num_threads_strict(void* where, int gtid, int threads, int severity,
                                    const char* message);
void __kmpc_push_num_threads_list(void* where, int gtid, unsigned length, int* numbers);
void __kmpc_push_num_threads_list_strict(void* where, int gtid, unsigned length, int* numbers,
                                         int severity, const char* message);

enum { kWarning = 1, kFatal = 2, kTooMany = 40 };

static void push_strict(int threads, int severity, const char* message) {
  __kmpc_push_num_threads_strict(NULL, __kmpc_global_thread_num(NULL), threads, severity, message);
}
// The array is gone when the region begins.
static void push_list(int first, int second, int third) {
  int numbers[] = {first, second, third};
  const unsigned length = third != 0 ? 3 : second != 0 ? 2 : 1;
  __kmpc_push_num_threads_list(NULL, __kmpc_global_thread_num(NULL), length, numbers);
  memset(numbers, 1, sizeof numbers);
}
static void push_strict_list(int first, int second, int severity, const char* message) {
  int numbers[] = {first, second};
  __kmpc_push_num_threads_list_strict(NULL, __kmpc_global_thread_num(NULL), 2, numbers, severity,
                                      message);
}

// The size of a region that the calling task meets now.
static int size_of_next(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static void check_list(int outside) {
  push_list(3, 2, 4);
  int innermost = 0;
#pragma omp parallel reduction(+ : innermost)
  {
    CHECK_EQ(omp_get_num_threads(), 3);
    CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp task
    CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel reduction(+ : innermost)
    {
      CHECK_EQ(omp_get_num_threads(), 2);
      CHECK_EQ(omp_get_max_threads(), 4);
#pragma omp parallel reduction(+ : innermost)
      {
        ++innermost;
        CHECK_EQ(omp_get_num_threads(), 4);
        CHECK_EQ(omp_get_max_threads(), 4);  // the list is used up
      }
    }
  }
  CHECK_EQ(innermost, 3 * 2 * 4);
  CHECK_EQ(omp_get_max_threads(), outside);
  CHECK_EQ(size_of_next(), outside);
}

// Nothing of a list is left for the next region's inside.
static void check_after(int outside) {
  push_list(2, 3, 0);
  CHECK_EQ(size_of_next(), 2);
#pragma omp parallel
  CHECK_EQ(omp_get_max_threads(), outside);
  push_list(2, 0, 0);
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), 2);
    CHECK_EQ(omp_get_max_threads(), outside);
  }
}

static void check_list_in_list(void) {
  push_list(1, 2, 3);
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), 1);
    push_list(2, 4, 0);
#pragma omp parallel
    {
      CHECK_EQ(omp_get_num_threads(), 2);
      CHECK_EQ(size_of_next(), 4);
    }
    CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel
    CHECK_EQ(omp_get_max_threads(), 3);
  }
}

// The routine sets the present level's number, and leaves the rest of the list.
static void check_set_inside(void) {
  push_list(2, 3, 2);
#pragma omp parallel
  {
    omp_set_num_threads(4);
#pragma omp parallel
    {
      CHECK_EQ(omp_get_num_threads(), 4);
      CHECK_EQ(omp_get_max_threads(), 2);
    }
  }
}

// The clause counts for this region alone, which has one thread.
static void check_serial(int outside) {
  push_strict(5, kFatal, "a region of one thread by its if clause is no error");
#pragma omp parallel if (0)
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(size_of_next(), outside);
}

static void get_what_is_asked(void) {
  push_strict(4, kFatal, "enough");
  CHECK_EQ(size_of_next(), 4);
  omp_set_dynamic(1);
  push_strict(9, kFatal, "enough");
  CHECK_EQ(size_of_next(), 9);
  push_strict_list(3, 2, kFatal, "enough");
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), 3);
    CHECK_EQ(omp_get_max_threads(), 2);
  }
}
static void get_fewer_with_warning(void) {
  push_strict(kTooMany, kWarning, "too few");
  CHECK(size_of_next() < kTooMany);
}
static void get_fewer_with_own_words(void) {
  push_strict(kTooMany, kWarning, NULL);
  CHECK(size_of_next() < kTooMany);
}
static void get_fewer_of_list(void) {
  push_strict_list(kTooMany, 2, kWarning, "too few");
#pragma omp parallel
  CHECK_EQ(omp_get_max_threads(), 2);
}
static void get_fewer(void) {
  push_strict(kTooMany, kFatal, "too few");
  size_of_next();
}
static void get_one(void) {
  omp_set_max_active_levels(0);
  push_strict_list(2, 2, kFatal, "too few");
  size_of_next();
}
static void get_fewer_without_strict(void) {
  push_list(kTooMany, 2, 0);
  CHECK(size_of_next() < kTooMany);
}

static void check_strict(void) {
  char said[1000];
  CHECK(survives(get_what_is_asked, said));
  CHECK(strstr(said, "enough") == NULL);
  CHECK(survives(get_fewer_with_warning, said));
  CHECK(strstr(said, "too few") != NULL);
  CHECK(survives(get_fewer_with_own_words, said));
  CHECK(strlen(said) > 0);
  CHECK(survives(get_fewer_of_list, said));
  CHECK(strstr(said, "too few") != NULL);
  CHECK(!survives(get_fewer, said));
  CHECK(strstr(said, "too few") != NULL);
  CHECK(!survives(get_one, said));
  CHECK(strstr(said, "too few") != NULL);
  CHECK(survives(get_fewer_without_strict, said));
}

int main(void) {
  const int outside = omp_get_max_threads();
  check_strict();
  omp_set_max_active_levels(4);
  check_list(outside);
  check_after(outside);
  check_list_in_list();
  check_set_inside();
  check_serial(outside);
  check_list(outside);
  return check_result();
}
