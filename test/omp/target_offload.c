// test: uses threads=2
// test: skip clang its target regions ask the runtime for no device
// test: variant mandatory OMP_TARGET_OFFLOAD=mandatory
// test: variant device OMP_DEFAULT_DEVICE=3
// test: peer gcc-12 libgomp has no kmp_set_defaults()
// kmp_set_defaults() changes OMP_TARGET_OFFLOAD for the whole process: which device is the default, and whether a
// target region may run on the host, is the same on a thread that begins later, and a device that the program has
// chosen stays.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "child.h"

enum { kInvalid = -4 };  // omp_invalid_device, which gcc 12 lacks

static void set(const char* text) {
  void (*const set_defaults)(const char*) = dlsym(RTLD_DEFAULT, "kmp_set_defaults");
  CHECK(set_defaults != NULL);
  if (set_defaults != NULL) set_defaults(text);
}

static void region(void) {
  int done = 0;
#pragma omp target map(tofrom : done)
  ++done;
  CHECK_EQ(done, 1);
}

static void* run_region(void* unused) {
  region();
  return unused;
}
static void region_of_a_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_region, NULL);
  pthread_join(thread, NULL);
}

static void* ask(void* answer) {
  *(int*)answer = omp_get_default_device();
  return NULL;
}
static int default_of_a_thread(void) {
  pthread_t thread;
  int device = 0;
  pthread_create(&thread, NULL, ask, &device);
  pthread_join(thread, NULL);
  return device;
}

static void expect_host(int device) {
  CHECK_EQ(omp_get_default_device(), device);
  CHECK_EQ(default_of_a_thread(), device);
  region();
  region_of_a_thread();
}

static void expect_end(const char* culprit) {
  char said[1000];
  CHECK_EQ(omp_get_default_device(), kInvalid);
  CHECK_EQ(default_of_a_thread(), kInvalid);
  CHECK(!survives(region, said));
  CHECK(strstr(said, "OMP_TARGET_OFFLOAD=mandatory") != NULL && strstr(said, culprit) != NULL);
  CHECK(!survives(region_of_a_thread, said));
  CHECK(strstr(said, "OMP_TARGET_OFFLOAD=mandatory") != NULL && strstr(said, culprit) != NULL);
}

int main(void) {
  const char* text = getenv("OMP_DEFAULT_DEVICE");
  const int device = text != NULL ? atoi(text) : 0;
  if (getenv("OMP_TARGET_OFFLOAD") != NULL)
    expect_end("Unset OMP_TARGET_OFFLOAD");
  else
    expect_host(device);
  for (int times = 0; times < 2; ++times) {
    set("OMP_TARGET_OFFLOAD=mandatory");
    expect_end("kmp_set_defaults()");
    set("OMP_TARGET_OFFLOAD=default");
    expect_host(device);
    set("OMP_TARGET_OFFLOAD=disabled");
    expect_host(device);
  }
  omp_set_default_device(omp_get_initial_device());
  set("OMP_TARGET_OFFLOAD=mandatory");
  CHECK_EQ(omp_get_default_device(), omp_get_initial_device());
  region();
  omp_set_default_device(7);
  set("OMP_TARGET_OFFLOAD=default");
  CHECK_EQ(omp_get_default_device(), 7);
  set("OMP_DEFAULT_DEVICE=5|OMP_TARGET_OFFLOAD=mandatory");
  CHECK_EQ(omp_get_default_device(), 5);
  return check_result();
}
