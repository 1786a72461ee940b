// test: skip clang<14 it ignores the align clause of the directive
// The allocate clause of each construct that has one, and clang's allocate directive: private copies
// are the allocator's memory, aligned as it promises, constructed, destroyed and given back.
#include <omp.h>

#include <cstdint>

#include "check.h"

namespace {

constexpr size_t kAlignment = 256;

int alive = 0;
struct Object {
  long values[40];
  Object() : values{} {
#pragma omp atomic
    ++alive;
  }
  Object(const Object& other) : Object() {
    for (int i = 0; i < 40; ++i) values[i] = other.values[i];
  }
  ~Object() {
#pragma omp atomic
    --alive;
  }
};

template <class T>
bool is_aligned(const T& object) {
  return reinterpret_cast<uintptr_t>(&object) % kAlignment == 0;
}

// The pool's size shows whether the copies were given back.
omp_allocator_handle_t make() {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, kAlignment},
                               {omp_atk_pool_size, 1 << 20},
                               {omp_atk_fallback, omp_atv_null_fb}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

void regions(omp_allocator_handle_t from) {
  int x = 5, sum = 0, last = 0;
  long big[100] = {};
  Object object;
  object.values[7] = 11;
#pragma omp parallel private(x) allocate(from : x)
  {
    x = omp_get_thread_num();
    CHECK(is_aligned(x));
#pragma omp barrier
    CHECK_EQ(x, omp_get_thread_num());
  }
#pragma omp parallel firstprivate(x, object, big) allocate(from : x, object, big)
  {
    CHECK(is_aligned(x) && is_aligned(object) && is_aligned(big));
    CHECK_EQ(x, 5);
    CHECK_EQ(object.values[7], 11);
    object.values[7] = big[3] = omp_get_thread_num();
#pragma omp barrier
    CHECK_EQ(object.values[7] + big[3], 2 * omp_get_thread_num());
  }
#pragma omp parallel for firstprivate(x) lastprivate(last) reduction(+ : sum) \
    allocate(from : x, last, sum)
  for (int i = 0; i < 1000; ++i) {
    CHECK(is_aligned(x) && is_aligned(sum));
    sum += x;
    last = i;
  }
  CHECK_EQ(sum, 5000);
  CHECK_EQ(last, 999);
#pragma omp parallel
  {
#pragma omp sections firstprivate(x) allocate(from : x)
    {
#pragma omp section
      CHECK_EQ(x, 5);
#pragma omp section
      CHECK(is_aligned(x));
    }
#pragma omp single firstprivate(x) allocate(from : x)
    CHECK(is_aligned(x));
  }
  CHECK_EQ(object.values[7], 11);
}

// gcc 12 cannot compile the clause of a task that has a copy of an object with a constructor.
void tasks(omp_allocator_handle_t from) {
  int x = 7;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 50; ++i)
#pragma omp task firstprivate(x, i) allocate(from : x)
    {
      x += i;
      CHECK_EQ(x, 7 + i);
    }
#pragma omp taskloop private(x) allocate(from : x)
    for (int i = 0; i < 50; ++i) {
      x = i;
      CHECK_EQ(x, i);
    }
  }
}

#ifdef __clang__
void directive() {
#pragma omp parallel
  {
    long plain[64];
#pragma omp allocate(plain) allocator(omp_pteam_mem_alloc)
    long aligned[64];
#pragma omp allocate(aligned) align(512)
    for (int i = 0; i < 64; ++i) plain[i] = aligned[i] = i + omp_get_thread_num();
#pragma omp barrier
    CHECK_EQ(reinterpret_cast<uintptr_t>(aligned) % 512, 0);
    long total = 0;
    for (int i = 0; i < 64; ++i) total += plain[i] + aligned[i];
    CHECK_EQ(total, 2 * (2016 + 64 * omp_get_thread_num()));
  }
}
#endif

}  // namespace

int main() {
  const omp_allocator_handle_t from = make();
  for (int round = 0; round < 20; ++round) {
    regions(from);
    tasks(from);
    CHECK_EQ(alive, 0);
  }
#ifdef __clang__
  directive();
#endif
  void* const all = omp_alloc((1 << 20) - 4096, from);
  CHECK(all != nullptr);
  omp_free(all, from);
  omp_destroy_allocator(from);
  return check_result();
}
