// test: uses gcc
// Memory of devices where the host is the only one. clang's programs get these routines from
// libomptarget. The host's number is omp_get_initial_device(); others name no device.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"

static int host, absent;

static void allocation(void) {
  char* memory = omp_target_alloc(1000, host);
  CHECK(memory != NULL);
  memset(memory, 1, 1000);
  CHECK_EQ(omp_target_is_present(memory, host), 1);
  CHECK_EQ(omp_target_is_present(memory, absent), 0);
  CHECK_EQ(omp_target_is_present(memory, -6), 0);
  omp_target_free(memory, host);
  omp_target_free(NULL, host);
  omp_target_free(NULL, absent);
  CHECK(omp_target_alloc(10, absent) == NULL);
  CHECK(omp_target_alloc(10, -6) == NULL);
}

static void copies(void) {
  char from[] = "0123456789", to[] = "abcdefghij";
  CHECK_EQ(omp_target_memcpy(to, from, 3, 2, 5, host, host), 0);
  CHECK_EQ(strcmp(to, "ab567fghij"), 0);
  CHECK_EQ(omp_target_memcpy(to, from, 0, 0, 0, host, host), 0);
  CHECK_EQ(omp_target_memcpy(to, from, 3, 0, 0, absent, host), EINVAL);
  CHECK_EQ(omp_target_memcpy(to, from, 3, 0, 0, host, absent), EINVAL);
  CHECK_EQ(omp_target_memcpy(to, from, 3, 0, 0, host, -7), EINVAL);
  CHECK_EQ(strcmp(to, "ab567fghij"), 0);
}

enum { kPlanes = 3, kRows = 4, kColumns = 5, kToRows = 6, kToColumns = 7 };
static int from[kPlanes][kRows][kColumns], to[kPlanes + 1][kToRows][kToColumns];

static void fill(void) {
  for (int i = 0; i < kPlanes * kRows * kColumns; ++i) (&from[0][0][0])[i] = i + 1;
  memset(to, 0, sizeof to);
}
static const size_t volume[] = {2, 2, 3}, to_at[] = {1, 3, 2}, from_at[] = {1, 1, 2},
                    to_sizes[] = {kPlanes + 1, kToRows, kToColumns},
                    from_sizes[] = {kPlanes, kRows, kColumns};

static void check_part(void) {
  for (int i = 0; i < kPlanes + 1; ++i)
    for (int j = 0; j < kToRows; ++j)
      for (int k = 0; k < kToColumns; ++k) {
        const int inside = i >= 1 && i < 3 && j >= 3 && j < 5 && k >= 2 && k < 5;
        CHECK_EQ(to[i][j][k], inside ? from[i][j - 2][k] : 0);
      }
}

static int rectangle(int dimensions, const size_t* part, int to_device, int from_device) {
  return omp_target_memcpy_rect(to, from, sizeof(int), dimensions, part, to_at, from_at, to_sizes,
                                from_sizes, to_device, from_device);
}

static void rectangles(void) {
  fill();
  CHECK_EQ(rectangle(3, volume, host, host), 0);
  check_part();
  fill();
  CHECK_EQ(rectangle(1, volume, host, host), 0);
  for (int i = 0; i < kToColumns; ++i) CHECK_EQ(to[0][0][i], i == 1 || i == 2 ? i + 1 : 0);
  fill();
  const size_t nothing[] = {2, 0, 3};
  CHECK_EQ(rectangle(3, nothing, host, host), 0);
  CHECK_EQ(rectangle(3, volume, absent, host), EINVAL);
  CHECK_EQ(rectangle(3, volume, host, -9), EINVAL);
  const size_t huge[] = {2, 2, SIZE_MAX / 2};
  CHECK_EQ(rectangle(3, huge, host, host), EINVAL);
  for (int i = 0; i < (int)(sizeof to / sizeof(int)); ++i) CHECK_EQ((&to[0][0][0])[i], 0);
  CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
}

static void associations(void) {
  int here[10], there[10];
  CHECK(omp_target_associate_ptr(here, there, sizeof here, 0, host) != 0);
  CHECK(omp_target_associate_ptr(here, there, sizeof here, 0, absent) != 0);
  CHECK(omp_target_disassociate_ptr(here, host) != 0);
  CHECK(omp_target_disassociate_ptr(here, absent) != 0);
}

// gcc 13 has these; gcc 12 declares them not.
static void later_ones(void) {
  int (*accessible)(const void*, size_t, int) = dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
  void* (*mapped)(const void*, int) = dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr");
  if (accessible == NULL || mapped == NULL) return;
  CHECK_EQ(accessible(&host, sizeof host, host), 1);
  CHECK_EQ(accessible(&host, sizeof host, absent), 0);
  CHECK_EQ(accessible(&host, sizeof host, -6), 0);
  CHECK(mapped(&host, host) == &host);
  CHECK(mapped(&host, absent) == NULL);
  CHECK(mapped(&host, -6) == NULL);
}

// Copies as tasks: depend objects order them among other tasks.
static void deferred(void) {
  int (*copy)(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*) =
      dlsym(RTLD_DEFAULT, "omp_target_memcpy_async");
  int (*copy_part)(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                   const size_t*, const size_t*, int, int, int, omp_depend_t*) =
      dlsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async");
  if (copy == NULL || copy_part == NULL) return;
  int first = 0, second = 0;
  omp_depend_t objects[2];
#pragma omp depobj(objects[0]) depend(in : first)
#pragma omp depobj(objects[1]) depend(out : second)
  for (int i = 1; i < 50; ++i) {
#pragma omp task depend(out : first) shared(first)
    first = i;
    CHECK_EQ(copy(&second, &first, sizeof first, 0, 0, host, host, 2, objects), 0);
#pragma omp task depend(inout : second) shared(second)
    CHECK_EQ(second, i);
  }
#pragma omp taskwait
  fill();
  memset(from, 0, sizeof from);
#pragma omp task depend(out : first)
  fill();
  size_t changing[3];
  memcpy(changing, volume, sizeof volume);
  CHECK_EQ(copy_part(to, from, sizeof(int), 3, changing, to_at, from_at, to_sizes, from_sizes, host,
                     host, 1, objects),
           0);
  memset(changing, 0, sizeof changing);  // the task has a copy
#pragma omp taskwait
  check_part();
  CHECK_EQ(copy(&second, &first, sizeof first, 0, 0, host, host, 0, NULL), 0);
#pragma omp taskwait
  CHECK_EQ(second, first);
  CHECK_EQ(copy(&second, &first, sizeof first, 0, 0, absent, host, 0, NULL), EINVAL);
  CHECK_EQ(copy_part(to, from, sizeof(int), 3, volume, to_at, from_at, to_sizes, from_sizes, host,
                     absent, 1, objects),
           EINVAL);
  for (int dimensions = -1; dimensions <= 0; ++dimensions)
    CHECK_EQ(copy_part(to, from, sizeof(int), dimensions, volume, to_at, from_at, to_sizes,
                       from_sizes, host, host, 1, objects),
             EINVAL);
#pragma omp depobj(objects[0]) destroy
#pragma omp depobj(objects[1]) destroy
}

int main(void) {
  host = omp_get_initial_device();
  absent = host + 1;
  allocation();
  copies();
  rectangles();
  associations();
  later_ones();
  deferred();
#pragma omp parallel
#pragma omp single
  deferred();
  return check_result();
}
