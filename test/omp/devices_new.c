// test: uses gcc threads=1,4
// test: peer gcc libgomp has none of these routines before 16, and not all since
// Routines on devices that newer compilers' programs call, where the host is the only device:
// memory that is filled, unique identifiers, memory spaces, interoperability objects, and the
// numbers of devices that stand for others. The functions are looked up, since the compiler's own
// runtime lacks them; where gcc and LLVM mean different functions by one name, by version.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>

#include "check.h"

enum { kInitial = -1, kInvalid = -4, kInvalidOfLlvm = -2, kDefault = -5 };

static void* looked_up(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) fprintf(stderr, "there is no %s\n", name);
  CHECK(found != NULL);
  return found;
}
static void* version(const char* name, const char* version) {
  void* const found = dlvsym(RTLD_DEFAULT, name, version);
  if (found == NULL) fprintf(stderr, "there is no %s of %s\n", name, version);
  CHECK(found != NULL);
  return found;
}

static void numbers(void) {
  int x = 0, from = 7;
  CHECK(omp_target_is_present(&x, kDefault) && omp_target_is_present(&x, kInitial));
  CHECK(!omp_target_is_present(NULL, kInitial) && !omp_target_is_present(&x, kInvalid));
  int (*const accessible)(const void*, size_t, int) = looked_up("omp_target_is_accessible");
  CHECK(accessible(&x, sizeof x, kDefault) && !accessible(NULL, 4, kInitial));
  CHECK(!accessible(&x, 0, kInitial));
  CHECK_EQ(omp_target_memcpy(&x, &from, sizeof x, 0, 0, kDefault, kInitial), 0);
  CHECK_EQ(x, 7);
  void* const memory = omp_target_alloc(16, kDefault);
  CHECK(memory != NULL);
  omp_target_free(memory, kDefault);
  const int before = omp_get_default_device();
  omp_set_default_device(kDefault);
  CHECK_EQ(omp_get_default_device(), before);
  omp_set_default_device(3);
  CHECK(!omp_target_is_present(&x, kDefault));
  omp_set_default_device(before);
}

static void fills(void) {
  void* (*const set)(void*, int, size_t, int) = looked_up("omp_target_memset");
  void* (*const set_async)(void*, int, size_t, int, int, omp_depend_t*) =
      looked_up("omp_target_memset_async");
  char bytes[64];
  memset(bytes, 1, sizeof bytes);
  CHECK(set(bytes, 7, 32, omp_get_initial_device()) == bytes);
  CHECK(bytes[0] == 7 && bytes[31] == 7 && bytes[32] == 1);
  CHECK(set(bytes, 8, 0, kInitial) == bytes && bytes[0] == 7);
  CHECK(set(bytes, 8, 4, kInvalid) == NULL && bytes[0] == 7);
  CHECK(set_async(bytes, 8, 4, 5, 0, NULL) == NULL);
  int order = 0;
  omp_depend_t depend;
#pragma omp depobj(depend) depend(inout : order)
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : order)
    memset(bytes, 2, sizeof bytes);
    CHECK(set_async(bytes, 9, 16, kInitial, 1, &depend) == bytes);
#pragma omp task depend(in : order)
    CHECK(bytes[15] == 9 && bytes[16] == 2);
#pragma omp taskwait
    set_async(bytes, 3, 8, kInitial, 0, NULL);
#pragma omp taskwait
    CHECK(bytes[7] == 3 && bytes[8] == 9);
  }
#pragma omp depobj(depend) destroy
}

static void identifiers(void) {
  const char* (*const uid_of)(int) = looked_up("omp_get_uid_from_device");
  const char* const uid = uid_of(omp_get_initial_device());
  CHECK(uid != NULL && uid_of(kInitial) == uid);
  CHECK(uid_of(kInvalid) == NULL && uid_of(1000) == NULL);
  const struct {
    const char* node;
    int host, invalid;
  } kNodes[] = {{"GOMP_6.0", kInitial, kInvalid},
                {"VERSION", omp_get_initial_device(), kInvalidOfLlvm}};
  for (int i = 0; i < 2; ++i) {
    int (*const device_of)(const char*) = version("omp_get_device_from_uid", kNodes[i].node);
    CHECK_EQ(device_of(uid), kNodes[i].host);
    CHECK_EQ(device_of("nonsense"), kNodes[i].invalid);
    CHECK_EQ(device_of(""), kNodes[i].invalid);
    CHECK_EQ(device_of(NULL), kNodes[i].invalid);
  }
  // Fortran's.
  void (*const give)(const char**, size_t*, int) = version("omp_get_uid_from_device_", "GOMP_6.0");
  const char* text = NULL;
  size_t length = 0;
  give(&text, &length, kInitial);
  CHECK(text == uid && length == strlen(uid));
  give(&text, &length, kInvalid);
  CHECK(text == NULL && length == 0);
  int (*const of_gfortran)(const char*, size_t) = version("omp_get_device_from_uid_", "GOMP_6.0");
  char padded[80];
  snprintf(padded, sizeof padded, "%s and more", uid);
  CHECK_EQ(of_gfortran(padded, strlen(uid)), kInitial);
  CHECK_EQ(of_gfortran(padded, strlen(padded)), kInvalid);
  const char* (*const of_flang)(int) = version("omp_get_uid_from_device_", "VERSION");
  CHECK(of_flang(kInitial) == uid);
}

static void spaces(void) {
  uintptr_t (*const both)(int, uintptr_t) = looked_up("omp_get_device_and_host_memspace");
  uintptr_t (*const one)(int, uintptr_t) = looked_up("omp_get_device_memspace");
  uintptr_t (*const some)(int, const int*, uintptr_t) = looked_up("omp_get_devices_memspace");
  uintptr_t (*const all)(uintptr_t) = looked_up("omp_get_devices_all_memspace");
  uintptr_t (*const allocator)(int, const int*, uintptr_t) =
      looked_up("omp_get_devices_and_host_allocator");
  const int host = omp_get_initial_device(), hosts[] = {kInitial, host}, others[] = {host, 5};
  CHECK_EQ(both(host, 99), 99);
  CHECK_EQ(one(host, 1), 1);
  CHECK_EQ(one(5, 1), 0);
  CHECK_EQ(some(2, hosts, 4), 4);
  CHECK_EQ(some(2, others, 4), 0);
  CHECK_EQ(some(0, NULL, 4), 0);  // there are no devices besides the host
  CHECK_EQ(all(99), 99);
  CHECK_EQ(all(0), 0);  // LLVM's null space
  CHECK_EQ(all(77), 0);
  CHECK_EQ(allocator(2, hosts, 99), 1);
  CHECK_EQ(allocator(2, hosts, 3), 4);
  CHECK_EQ(allocator(2, others, 3), 0);
  CHECK_EQ(allocator(-1, hosts, 3), 0);
  int (*const resources)(uintptr_t) = looked_up("omp_get_memspace_num_resources");
  CHECK_EQ(resources(99), 1);
  CHECK_EQ(resources(0), 0);
  uintptr_t (*const part)(uintptr_t, int, const int*) = looked_up("omp_get_submemspace");
  CHECK_EQ(part(2, 1, (int[]){0}), 2);
  CHECK_EQ(part(2, 1, (int[]){1}), 0);
  CHECK_EQ(part(2, 0, NULL), 0);
}

typedef void Interop(int device, int inits, uintptr_t** init, const void* kinds, const void* prefer,
                     int uses, const uintptr_t* use, int ends, uintptr_t** end, unsigned flags,
                     void** depend);

static void interop(void) {
  Interop* const construct = (Interop*)looked_up("GOMP_interop");
  uintptr_t made = 5, ended = 6;
  uintptr_t *inits[] = {&made}, *ends[] = {&ended};
  construct(kInitial, 1, inits, NULL, NULL, 0, NULL, 1, ends, 0, NULL);
  CHECK_EQ(made, 0);
  CHECK_EQ(ended, 0);
  // A depend clause without nowait waits for the task before; gcc's list has the number of all and
  // of the out ones.
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    for (int i = 0; i < 1000; ++i) __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    void* depend[] = {(void*)1, (void*)1, &x};
    construct(kInitial, 1, inits, NULL, NULL, 0, NULL, 0, NULL, 0, depend);
    CHECK_EQ(x, 1000);
    construct(kInitial, 1, inits, NULL, NULL, 0, NULL, 0, NULL, 1, depend);
  }
  void (*const name)(const char**, size_t*, uintptr_t, int) =
      version("omp_get_interop_name_", "GOMP_5.1.3");
  const char* text = NULL;
  size_t length = 0;
  name(&text, &length, 0, -1);
  CHECK(text != NULL && length == 5 && strncmp(text, "fr_id", length) == 0);
  name(&text, &length, 0, 12);
  CHECK(text == NULL && length == 0);
  const char* (*const of_intel)(uintptr_t, int) = looked_up("__kmpc_get_interop_name");
  CHECK_EQ(strcmp(of_intel(0, -1), "fr_id"), 0);
}

int main(void) {
  numbers();
  fills();
  identifiers();
  spaces();
  interop();
  void* (*const function)(void*) = looked_up("GOMP_target_map_indirect_ptr");
  CHECK(function(&numbers) == (void*)&numbers);
  void (*const connect)(void*) = looked_up("ompt_libomp_connect");
  connect(NULL);
  return check_result();
}
