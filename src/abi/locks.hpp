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

}  // namespace vicino::abi
