// test: uses gcc threads=2
// test: peer gcc<16 libgomp knows no pointers that follow firstprivate data
// A target region with an allocatable array that is firstprivate, as gfortran 16 asks for it: the array's descriptor
// and its data are two variables, and a third says that the pointer in the copied descriptor leads to the copied data.
// The region writes to the copy only, whether it runs at once or as a task.
#include <omp.h>
#include <stddef.h>

#include "check.h"

void GOMP_target_ext(int device, void (*function)(void*), size_t count, void** addresses,
                     size_t* bytes, unsigned short* kinds, unsigned flags, void** depend,
                     void** arguments);

struct descriptor {
  int* data;
  long rest[7];
};
enum { kElements = 5, kFirstprivate = 0x30c, kAttach = 0x50, kNowait = 1 };

static int ran;

static void region(void* list) {
  struct descriptor* const array = ((void**)list)[0];
  int* const data = ((void**)list)[1];
  CHECK(array->data == data);
  for (int i = 0; i < kElements; ++i) {
    CHECK_EQ(data[i], i + 1);
    data[i] = 99;
  }
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

static void run(int* data, unsigned flags) {
  struct descriptor array = {data, {0}};
  void* addresses[3] = {&array, data, &addresses[0]};
  size_t bytes[3] = {sizeof array, kElements * sizeof *data, 0};
  unsigned short kinds[3] = {kFirstprivate, kFirstprivate, kAttach};
  GOMP_target_ext(omp_get_initial_device(), region, 3, addresses, bytes, kinds, flags, NULL, NULL);
#pragma omp taskwait
  CHECK(array.data == data);
}

int main(void) {
  int data[kElements] = {1, 2, 3, 4, 5};
  run(data, 0);
#pragma omp parallel
#pragma omp single
  {
    run(data, kNowait);
    run(data, kNowait);
  }
  CHECK_EQ(ran, 3);
  for (int i = 0; i < kElements; ++i) CHECK_EQ(data[i], i + 1);
  return check_result();
}
