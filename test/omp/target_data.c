// Constructs that move data have nothing to move on the host: the program's variables are the
// device's.
#include <omp.h>

#include "check.h"

int table[16];
#pragma omp declare target to(table)

static void structured(void) {
  int array[8] = {0}, *pointer = array, inside = 0;
#pragma omp target data map(tofrom : array) map(alloc : inside)
  {
#pragma omp target map(alloc : array)
    for (int i = 0; i < 8; ++i) array[i] = i;
#pragma omp target update from(array[0 : 4])
    for (int i = 0; i < 4; ++i) CHECK_EQ(array[i], i);
#pragma omp target data map(tofrom : pointer[2 : 3]) use_device_ptr(pointer) if (inside == 0)
#pragma omp target is_device_ptr(pointer)
    pointer[2] = 20;
#pragma omp target data use_device_addr(array) device(omp_get_default_device())
    CHECK(&array[0] == pointer);
  }
  for (int i = 0; i < 8; ++i) CHECK_EQ(array[i], i == 2 ? 20 : i);
}

static void unstructured(void) {
  int* memory = malloc(100 * sizeof *memory);
  for (int i = 0; i < 100; ++i) memory[i] = i;
#pragma omp target enter data map(to : memory[0 : 100])
#pragma omp target map(memory[0 : 100])
  for (int i = 0; i < 100; ++i) memory[i] *= 2;
#pragma omp target update to(memory[10 : 5]) if (memory[1] == 2)
#pragma omp target exit data map(from : memory[0 : 100])
  for (int i = 0; i < 100; ++i) CHECK_EQ(memory[i], 2 * i);
#pragma omp target exit data map(delete : memory[0 : 100])
  free(memory);
}

static void declared(void) {
  for (int i = 0; i < 16; ++i) table[i] = i;
#pragma omp target update to(table)
#pragma omp target
  for (int i = 0; i < 16; ++i) table[i] += 1;
#pragma omp target update from(table)
  for (int i = 0; i < 16; ++i) CHECK_EQ(table[i], i + 1);
}

int main(void) {
  structured();
  unstructured();
  declared();
#pragma omp parallel
  {
    structured();
    unstructured();
  }
  return check_result();
}
