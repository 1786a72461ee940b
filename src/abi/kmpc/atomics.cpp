#include "abi/kmpc/atomics.hpp"

#include <string.h>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/versioned_symbol.hpp"
#include "abi/watched.hpp"
#include "region/locks.hpp"

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
  if (abi::keep_caller(caller, frame))
    abi::watched_take(ompt::Mutex::kAtomic, lock);
  else
    region::take(lock);
}
void release_told(region::GlobalLock& lock, const void* caller, void* frame) noexcept {
  if (abi::keep_caller(caller, frame))
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

// Intel's library also has entry points for objects of any size, and functions of libatomic's
// names, to which programs linked against it refer by its version. Programs that have libatomic
// refer to that by libatomic's versions. Memory orders are not read: each operation is sequentially
// consistent.
namespace {

// Calls work() with a pointer to the object as an unsigned integer, and returns true, if it can be
// changed in one instruction.
template <class Work>
bool as_word(size_t bytes, void* object, Work work) {
  const auto do_as = [&](auto* word) {
    if (!kmpc::is_aligned(word)) return false;
    work(word);
    return true;
  };
  switch (bytes) {
    case 1:
      return do_as(static_cast<uint8_t*>(object));
    case 2:
      return do_as(static_cast<uint16_t*>(object));
    case 4:
      return do_as(static_cast<uint32_t*>(object));
    case 8:
      return do_as(static_cast<uint64_t*>(object));
    default:
      return false;
  }
}

// The functions become part of the entry points, for kmpc::Locked.
[[gnu::always_inline]] inline void load(size_t bytes, void* object, void* out) {
  const auto load_word = [out](auto* word) {
    const auto value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    memcpy(out, &value, sizeof value);
  };
  if (as_word(bytes, object, load_word)) return;
  const kmpc::Locked locked(object);
  memcpy(out, object, bytes);
}
[[gnu::always_inline]] inline void store(size_t bytes, void* object, const void* value) {
  const auto store_word = [value](auto* word) {
    std::remove_reference_t<decltype(*word)> bits;
    memcpy(&bits, value, sizeof bits);
    __atomic_store_n(word, bits, __ATOMIC_SEQ_CST);
  };
  if (as_word(bytes, object, store_word)) return;
  const kmpc::Locked locked(object);
  memcpy(object, value, bytes);
}
// Where the object is not as expected, `expected` becomes what it is.
[[gnu::always_inline]] inline bool compare_exchange(size_t bytes, void* object, void* expected,
                                                    const void* desired) {
  bool done = false;
  const auto exchange_word = [&](auto* word) {
    std::remove_reference_t<decltype(*word)> seen, next;
    memcpy(&seen, expected, sizeof seen);
    memcpy(&next, desired, sizeof next);
    done =
        __atomic_compare_exchange_n(word, &seen, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!done) memcpy(expected, &seen, sizeof seen);
  };
  if (as_word(bytes, object, exchange_word)) return done;
  const kmpc::Locked locked(object);
  done = memcmp(object, expected, bytes) == 0;
  memcpy(done ? object : expected, done ? desired : object, bytes);
  return done;
}

}  // namespace

VICINO_API void __kmpc___atomic_load_n(size_t bytes, void* object, void* out, int) {
  load(bytes, object, out);
}
VICINO_API void __kmpc___atomic_store_n(size_t bytes, void* object, const void* value, int) {
  store(bytes, object, value);
}
VICINO_API bool __kmpc___atomic_compare_exchange_n(size_t bytes, void* object, void* expected,
                                                   const void* desired, bool, int, int) {
  return compare_exchange(bytes, object, expected, desired);
}

VICINO_API void vicino_atomic_load(size_t bytes, void* object, void* out, int) {
  load(bytes, object, out);
}
VICINO_VERSIONED(vicino_atomic_load, "__atomic_load@VERSION");
VICINO_API void vicino_atomic_store(size_t bytes, void* object, const void* value, int) {
  store(bytes, object, value);
}
VICINO_VERSIONED(vicino_atomic_store, "__atomic_store@VERSION");
VICINO_API bool vicino_atomic_compare_exchange(size_t bytes, void* object, void* expected,
                                               const void* desired, bool, int, int) {
  return compare_exchange(bytes, object, expected, desired);
}
VICINO_VERSIONED(vicino_atomic_compare_exchange, "__atomic_compare_exchange@VERSION");
