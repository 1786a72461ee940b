// locks.cpp: OpenMP's locks.
#include "abi/locks.hpp"

#include <new>

#include "abi/api.hpp"
#include "region/constructs.hpp"
#include "tasking/tasks.hpp"

using namespace vicino;
using sync::Lock;
using sync::NestLock;

namespace {

uint32_t owner() { return tasking::task_number(team::me()); }
plat::Budget patience() { return region::lock_patience(team::me()); }

}  // namespace

namespace vicino::abi {

void init_lock(void* where) { new (where) Lock; }
void destroy_lock(void*) {}
void set_lock(void* where) { region::enter_exclusive(*static_cast<Lock*>(where)); }
void unset_lock(void* where) { region::leave_exclusive(*static_cast<Lock*>(where)); }
int test_lock(void* where) {
  const bool got = static_cast<Lock*>(where)->try_acquire();
  if (got) region::hold_one();
  return got;
}

void init_nest_lock(void* where) { new (where) NestLock; }
void destroy_nest_lock(void*) {}
void set_nest_lock(void* where) {
  static_cast<NestLock*>(where)->acquire(owner(), patience());
  region::hold_one();
}
void unset_nest_lock(void* where) {
  region::hold_one_less();
  static_cast<NestLock*>(where)->release();
}
int test_nest_lock(void* where) {
  const uint32_t depth = static_cast<NestLock*>(where)->try_acquire(owner());
  if (depth > 0) region::hold_one();
  return static_cast<int>(depth);
}

}  // namespace vicino::abi

// A routine and its Fortran twin: both get the lock's address.
#define VICINO_LOCK(type, name)                                        \
  VICINO_API type omp_##name(void* where) { return abi::name(where); } \
  VICINO_API type omp_##name##_(void* where) { return abi::name(where); }

VICINO_EACH_LOCK_ROUTINE(VICINO_LOCK)

// There is one kind of lock; a hint changes nothing.
VICINO_API void omp_init_lock_with_hint(void* where, int) { abi::init_lock(where); }
VICINO_API void omp_init_lock_with_hint_(void* where, const int*) { abi::init_lock(where); }
VICINO_API void omp_init_nest_lock_with_hint(void* where, int) { abi::init_nest_lock(where); }
VICINO_API void omp_init_nest_lock_with_hint_(void* where, const int*) {
  abi::init_nest_lock(where);
}
