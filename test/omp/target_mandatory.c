// test: uses gcc OMP_TARGET_OFFLOAD=mandatory threads=2
// test: peer gcc-12 libgomp 12 takes device 0, the default, for the host
// OMP_TARGET_OFFLOAD=mandatory without a device: a construct that needs one ends the program with a
// line that names the construct; the host is still there for those who ask for it by name.
#include <omp.h>

#include "check.h"
#include "child.h"

static int data[4];

static void region(void) {
#pragma omp target map(tofrom : data)
  data[0] = 1;
}
static void absent(void) {
#pragma omp target device(omp_get_initial_device() + 1) map(tofrom : data)
  data[0] = 1;
}
static void structured(void) {
#pragma omp target data map(data)
  data[0] = 1;
}
static void enter(void) {
#pragma omp target enter data map(to : data)
}
static void leave(void) {
#pragma omp target exit data map(from : data)
}
static void update(void) {
#pragma omp target update to(data) nowait
}

// The construct ends the process, which says why.
static void expect_end(void (*construct)(void), const char* name) {
  char said[1000];
  CHECK(!survives(construct, said));
  CHECK(strstr(said, name) != NULL);
  CHECK(strstr(said, "OMP_TARGET_OFFLOAD") != NULL);
}

int main(void) {
  expect_end(region, "'target'");
  expect_end(absent, "'target'");
  expect_end(structured, "'target data'");
  expect_end(enter, "'target enter data'");
  expect_end(leave, "'target exit data'");
  expect_end(update, "'target update'");

  int done = 0;
#pragma omp target if (0) map(tofrom : done)
  ++done;
#pragma omp target device(omp_get_initial_device()) map(tofrom : done)
  ++done;
  CHECK(omp_get_default_device() < 0);  // omp_invalid_device
  omp_set_default_device(omp_get_initial_device());
#pragma omp target map(tofrom : done)
  ++done;
  CHECK_EQ(done, 3);
  return check_result();
}
