// locks.cpp: LLVM's entry points for locks. They are OpenMP's routines, with the place of the call;
// a program may mix both on one lock.
#include "abi/locks.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"

using namespace vicino;
using kmpc::Ident;

#define VICINO_LOCK(type, name)                                 \
  VICINO_API type __kmpc_##name(Ident*, int32_t, void** lock) { \
    VICINO_EITHER(abi::watched::name(lock), abi::name(lock));   \
  }

VICINO_EACH_LOCK_ROUTINE(VICINO_LOCK)

// There is one kind of lock; a hint changes nothing.
VICINO_API void __kmpc_init_lock_with_hint(Ident*, int32_t, void** lock, uintptr_t hint) {
  if (VICINO_WATCHED()) return abi::watched::init_lock(lock, static_cast<unsigned>(hint));
  abi::init_lock(lock);
}
VICINO_API void __kmpc_init_nest_lock_with_hint(Ident*, int32_t, void** lock, uintptr_t hint) {
  if (VICINO_WATCHED()) return abi::watched::init_nest_lock(lock, static_cast<unsigned>(hint));
  abi::init_nest_lock(lock);
}
