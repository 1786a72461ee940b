#include "abi/kmpc/atomics.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/watched.hpp"
#include "event/caller.hpp"

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

void take_told(region::GlobalLock& lock, const void* caller, void* frame) noexcept {
  if (event::keep_caller(caller, frame))
    abi::watched_take(ompt::Mutex::kAtomic, lock);
  else
    region::take(lock);
}
void release_told(region::GlobalLock& lock, const void* caller, void* frame) noexcept {
  if (event::keep_caller(caller, frame))
    abi::watched_release(ompt::Mutex::kAtomic, lock);
  else
    lock.release();
}

}  // namespace vicino::kmpc

using namespace vicino;

// Around the statement of an atomic construct that no entry point does.
VICINO_API void __kmpc_atomic_start() {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kAtomic, kmpc::construct_lock),
                region::take(kmpc::construct_lock));
}
VICINO_API void __kmpc_atomic_end() {
  VICINO_EITHER(abi::watched_release(ompt::Mutex::kAtomic, kmpc::construct_lock),
                kmpc::construct_lock.release());
}
