// locks.hpp: OpenMP's locks, for its routines and for LLVM's entry points.
#pragma once

namespace vicino::abi {

// The program provides the memory: at least 4 bytes for a simple lock and 8 for a nestable one,
// aligned to 4 (gcc's omp_lock_t and gfortran's nest lock are the smallest).
void init_lock(void* where);
void destroy_lock(void* where);
void set_lock(void* where);
void unset_lock(void* where);
int test_lock(void* where);

void init_nest_lock(void* where);
void destroy_nest_lock(void* where);
void set_nest_lock(void* where);
void unset_nest_lock(void* where);
int test_nest_lock(void* where);

// The same while a tool watches, which is told (OMPT).
namespace watched {
void init_lock(void* where, unsigned hint = 0);
void destroy_lock(void* where);
void set_lock(void* where);
void unset_lock(void* where);
int test_lock(void* where);

void init_nest_lock(void* where, unsigned hint = 0);
void destroy_nest_lock(void* where);
void set_nest_lock(void* where);
void unset_nest_lock(void* where);
int test_nest_lock(void* where);
}  // namespace watched

}  // namespace vicino::abi

// row(TYPE, NAME) for each routine.
#define VICINO_EACH_LOCK_ROUTINE(row)                                                    \
  row(void, init_lock) row(void, destroy_lock) row(void, set_lock) row(void, unset_lock) \
      row(int, test_lock) row(void, init_nest_lock) row(void, destroy_nest_lock)         \
          row(void, set_nest_lock) row(void, unset_nest_lock) row(int, test_nest_lock)
