#include "abi/kmpc/atomics.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"

namespace vicino::kmpc {
namespace {

constexpr size_t kLocks = 32;
region::GlobalLock locks[kLocks];
region::GlobalLock construct_lock;

}  // namespace

// The lowest bits are the same for all objects of a kind.
region::GlobalLock& lock_of(const void* object) noexcept {
  return locks[reinterpret_cast<uintptr_t>(object) / 16 % kLocks];
}

}  // namespace vicino::kmpc

using namespace vicino;

// Around the statement of an atomic construct that no entry point does.
VICINO_API void __kmpc_atomic_start() { region::take(kmpc::construct_lock); }
VICINO_API void __kmpc_atomic_end() { kmpc::construct_lock.release(); }
