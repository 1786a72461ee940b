// locks.cpp: LLVM's entry points for locks. They are OpenMP's routines, with the place of the call;
// a program may mix both on one lock.
#include "abi/locks.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"

using namespace vicino;
using kmpc::Ident;

#define VICINO_LOCK(type, name) \
  VICINO_API type __kmpc_##name(Ident*, int32_t, void** lock) { return abi::name(lock); }

VICINO_LOCK(void, init_lock)
VICINO_LOCK(void, destroy_lock)
VICINO_LOCK(void, set_lock)
VICINO_LOCK(void, unset_lock)
VICINO_LOCK(int, test_lock)
VICINO_LOCK(void, init_nest_lock)
VICINO_LOCK(void, destroy_nest_lock)
VICINO_LOCK(void, set_nest_lock)
VICINO_LOCK(void, unset_nest_lock)
VICINO_LOCK(int, test_nest_lock)

// There is one kind of lock; a hint changes nothing.
VICINO_API void __kmpc_init_lock_with_hint(Ident*, int32_t, void** lock, uintptr_t) {
  abi::init_lock(lock);
}
VICINO_API void __kmpc_init_nest_lock_with_hint(Ident*, int32_t, void** lock, uintptr_t) {
  abi::init_nest_lock(lock);
}
