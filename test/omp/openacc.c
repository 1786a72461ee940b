// test: uses gcc -fopenacc threads=1,4
// OpenACC where the host is the only device: regions run on the calling thread, all data are
// present, and nothing is ever under way.
#include <openacc.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void regions(void) {
  int array[100], sum = 0, own = 3;
  for (int i = 0; i < 100; ++i) array[i] = i;
#pragma acc data copy(array)
  {
#pragma acc parallel loop num_gangs(8) copy(array)
    for (int i = 0; i < 100; ++i) array[i] *= 2;
#pragma acc kernels
    for (int i = 0; i < 100; ++i) array[i] += 1;
#pragma acc update self(array) async(1)
#pragma acc serial firstprivate(own)
    own = 4;
  }
#pragma acc enter data copyin(array) async(2)
#pragma acc parallel loop reduction(+ : sum) async(2) wait(1)
  for (int i = 0; i < 100; ++i) sum += array[i];
#pragma acc wait
#pragma acc exit data copyout(array) finalize
  CHECK_EQ(sum, 100 * 99 + 100);
  int type = -1, on_host = -1;
#pragma acc parallel if (0) copyout(type, on_host)
  {
    type = acc_get_device_type();
    on_host = acc_on_device(acc_device_host);
  }
  CHECK_EQ(type, acc_device_host);
  CHECK_EQ(on_host, 1);
}

static void devices(void) {
  CHECK_EQ(acc_get_num_devices(acc_device_host), 1);
  CHECK_EQ(acc_get_num_devices(acc_device_none), 0);
  CHECK_EQ(acc_get_num_devices(acc_device_nvidia), 0);
  CHECK_EQ(acc_get_num_devices(acc_device_not_host), 0);
  acc_set_device_type(acc_device_host);
  CHECK_EQ(acc_get_device_type(), acc_device_host);
  acc_set_device_num(0, acc_device_host);
  CHECK_EQ(acc_get_device_num(acc_device_host), 0);
  CHECK_EQ(acc_get_property(0, acc_device_host, acc_property_memory), 0);
  CHECK(acc_get_property_string(0, acc_device_host, acc_property_name) != NULL);
  CHECK(acc_get_property_string(0, acc_device_host, (acc_device_property_t)-3) == NULL);
}

static void data(void) {
  int array[10] = {0}, other[10] = {1, 2, 3};
  CHECK(acc_copyin(array, sizeof array) == array);
  CHECK(acc_create(array, sizeof array) == array);
  CHECK(acc_present_or_copyin(array, sizeof array) == array);
  CHECK(acc_is_present(array, sizeof array));
  CHECK(!acc_is_present(NULL, 4));
  CHECK(acc_deviceptr(array) == array && acc_hostptr(array) == array);
  acc_update_device(array, sizeof array);
  acc_update_self_async(array, sizeof array, 1);
  acc_copyout(array, sizeof array);
  acc_delete_finalize(array, sizeof array);
  acc_memcpy_to_device(array, other, sizeof array);
  CHECK_EQ(array[2], 3);
  array[2] = 4;
  acc_memcpy_from_device_async(other, array, sizeof array, 3);
  CHECK(acc_async_test(3) && acc_async_test_all());
  acc_wait(3);
  acc_wait_async(3, 4);
  acc_wait_all();
  CHECK_EQ(other[2], 4);
  void* memory = acc_malloc(100);
  CHECK(memory != NULL);
  acc_free(memory);
  CHECK(acc_malloc(0) == NULL);
  acc_map_data(array, array, sizeof array);
  acc_unmap_data(array);
}

static int scratch;
static void wrong_type(void) { acc_set_device_type((acc_device_t)99); }
static void absent_type(void) { acc_set_device_type(acc_device_nvidia); }
static void absent_number(void) { acc_set_device_num(1, acc_device_host); }
static void no_data(void) { acc_copyin(&scratch, 0); }
static void other_memory(void) { acc_map_data(&scratch, &check_failures, sizeof scratch); }

static void expect_end(void (*wrong)(void)) {
  int status = 0;
  fflush(stderr);
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(77);
    wrong();
    _exit(77);
  }
  waitpid(child, &status, 0);
  CHECK_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1);
}

int main(void) {
  expect_end(wrong_type);
  expect_end(absent_type);
  expect_end(absent_number);
  expect_end(no_data);
  expect_end(other_memory);
  acc_init(acc_device_host);
  for (int round = 0; round < 3; ++round) {
    regions();
    devices();
    data();
  }
#pragma omp parallel
  regions();
  acc_shutdown(acc_device_host);
  return check_result();
}
