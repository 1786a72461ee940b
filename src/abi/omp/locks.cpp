// locks.cpp: OpenMP's locks.
#include "abi/locks.hpp"

#include <new>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/watched.hpp"
#include "event/sync.hpp"
#include "region/locks.hpp"
#include "tasking/tasks.hpp"

using namespace vicino;
using sync::Lock;
using sync::NestLock;

namespace {

uint32_t owner() { return tasking::task_number(region::me()); }

// Both return how often the owner has the lock now.
uint32_t take_nest_lock(void* where) {
  const uint32_t depth = static_cast<NestLock*>(where)->acquire(
      owner(), [] { return region::lock_patience(region::me()); });
  region::hold_one();
  return depth;
}
uint32_t release_nest_lock(void* where) {
  region::hold_one_less();
  return static_cast<NestLock*>(where)->release();
}

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
void set_nest_lock(void* where) { take_nest_lock(where); }
void unset_nest_lock(void* where) { release_nest_lock(where); }
int test_nest_lock(void* where) {
  const uint32_t depth = static_cast<NestLock*>(where)->try_acquire(owner());
  if (depth > 0) region::hold_one();
  return static_cast<int>(depth);
}

namespace watched {

using ompt::Endpoint;
using ompt::Mutex;

void init_lock(void* where, unsigned hint) {
  abi::init_lock(where);
  event::lock_init(Mutex::kLock, where, hint);
}
void destroy_lock(void* where) { event::lock_destroy(Mutex::kLock, where); }
void set_lock(void* where) {
  event::mutex_acquire(Mutex::kLock, where);
  abi::set_lock(where);
  event::mutex_acquired(Mutex::kLock, where);
}
void unset_lock(void* where) {
  abi::unset_lock(where);
  event::mutex_released(Mutex::kLock, where);
}
int test_lock(void* where) {
  event::mutex_acquire(Mutex::kTestLock, where);
  const bool got = abi::test_lock(where);
  event::mutex_tested(Mutex::kTestLock, where, got);
  return got;
}

namespace {

// The owner has reached this depth; 0: another owner has the lock.
void tell_depth(Mutex kind, const void* where, uint32_t depth) {
  event::mutex_tested(kind, where, depth == 1);
  if (depth > 1) event::nest_lock(Endpoint::kBegin, where);
}

}  // namespace

void init_nest_lock(void* where, unsigned hint) {
  abi::init_nest_lock(where);
  event::lock_init(Mutex::kNestLock, where, hint);
}
void destroy_nest_lock(void* where) { event::lock_destroy(Mutex::kNestLock, where); }
void set_nest_lock(void* where) {
  event::mutex_acquire(Mutex::kNestLock, where);
  tell_depth(Mutex::kNestLock, where, take_nest_lock(where));
}
void unset_nest_lock(void* where) {
  if (release_nest_lock(where) == 0)
    event::mutex_released(Mutex::kNestLock, where);
  else
    event::nest_lock(Endpoint::kEnd, where);
}
int test_nest_lock(void* where) {
  event::mutex_acquire(Mutex::kTestNestLock, where);
  const int depth = abi::test_nest_lock(where);
  tell_depth(Mutex::kTestNestLock, where, static_cast<uint32_t>(depth));
  return depth;
}

}  // namespace watched

}  // namespace vicino::abi

// A routine and its Fortran twin: both get the lock's address.
#define VICINO_LOCK(type, name)                                 \
  VICINO_API type omp_##name(void* where) {                     \
    VICINO_EITHER(abi::watched::name(where), abi::name(where)); \
  }                                                             \
  VICINO_API type omp_##name##_(void* where) {                  \
    VICINO_EITHER(abi::watched::name(where), abi::name(where)); \
  }

VICINO_EACH_LOCK_ROUTINE(VICINO_LOCK)

// There is one kind of lock; a hint changes nothing.
VICINO_API void omp_init_lock_with_hint(void* where, int hint) {
  if (VICINO_WATCHED()) return abi::watched::init_lock(where, static_cast<unsigned>(hint));
  abi::init_lock(where);
}
VICINO_API void omp_init_lock_with_hint_(void* where, const int* hint) {
  if (VICINO_WATCHED()) return abi::watched::init_lock(where, static_cast<unsigned>(*hint));
  abi::init_lock(where);
}
VICINO_API void omp_init_nest_lock_with_hint(void* where, int hint) {
  if (VICINO_WATCHED()) return abi::watched::init_nest_lock(where, static_cast<unsigned>(hint));
  abi::init_nest_lock(where);
}
VICINO_API void omp_init_nest_lock_with_hint_(void* where, const int* hint) {
  if (VICINO_WATCHED()) return abi::watched::init_nest_lock(where, static_cast<unsigned>(*hint));
  abi::init_nest_lock(where);
}
