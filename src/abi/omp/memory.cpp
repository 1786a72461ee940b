#include "abi/omp/memory.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <iterator>

#include "abi/api.hpp"
#include "base/say.hpp"
#include "region/roots.hpp"
#include "team/places.hpp"
#include "team/worker.hpp"

using namespace vicino;
using memory::Allocator;
using memory::Fill;
using memory::Handle;
using memory::Traits;

namespace vicino::abi {
namespace {

// omp_alloctrait_key_t
enum Key : int {
  kSyncHint = 1,
  kAlignment = 2,
  kAccess = 3,
  kPoolSize = 4,
  kFallback = 5,
  kFallbackTo = 6,
  kPinned = 7,
  kPartition = 8,
  // OpenMP 6.0's, about devices and other hints
  kPinDevice = 9,
  kPreferredDevice = 10,
  kDeviceAccess = 11,
  kTargetAccess = 12,
  kAtomicScope = 13,
  kPartSize = 14
};
constexpr uintptr_t kByDefault = UINTPTR_MAX;  // omp_atv_default

// omp_alloctrait_value_t of OpenMP 6.0. Headers before it call 7 `all`, which is `device` now.
enum NewValue : uintptr_t {
  kDevice = 7,
  kAllNow = 19,
  kSingle = 20,
  kMultiple = 21,
  kMemspace = 22
};

// Memory spaces that are ordinary memory here: the default's new number in LLVM's headers, which
// call 0 the null space; that of a contention group; LLVM's own for memory that devices can reach;
// and gcc's for that.
constexpr uintptr_t kOrdinarySpaces[] = {99, 5, 100, 101, 102, 200};
constexpr const char* kSpacesThatExist = "0 to 5, 99 to 102 and 200";

// Reads one of the words `first` to `last`. `target` has its default already.
template <class Word>
bool set(Word& target, uintptr_t value, Word first, Word last) {
  if (value == kByDefault) return true;
  if (value < static_cast<uintptr_t>(first) || value > static_cast<uintptr_t>(last)) return false;
  target = static_cast<Word>(value);
  return true;
}

bool set_alignment(Traits& traits, uintptr_t value) {
  if (value == kByDefault) return true;
  traits.alignment = value;
  return std::has_single_bit(value);
}

bool set_pool_size(Traits& traits, uintptr_t value) {
  if (value != kByDefault) traits.pool_size = value;
  return value > 0;
}

bool set_pinned(Traits& traits, uintptr_t value) {
  traits.pinned = value == 1;
  return value <= 1 || value == kByDefault;
}

bool set_fallback_to(Traits& traits, uintptr_t value) {
  traits.fallback_to = value == kByDefault ? nullptr : memory::find(value);
  return true;
}

// Every thread, and every device that there is, can reach all memory.
bool set_access(Traits& traits, uintptr_t value) {
  if (value == kAllNow || value == kMemspace) return true;
  return set(traits.access, value, memory::Access::kAll, memory::Access::kCgroup);
}

// A hint that changes nothing on the host: whether its value is one of these.
bool is_hint(uintptr_t value, std::initializer_list<NewValue> known) {
  return value == kByDefault || std::ranges::find(known, value) != known.end();
}

bool set(Traits& traits, const Trait& trait) {
  using enum memory::SyncHint;
  using enum memory::Partition;
  switch (trait.key) {
    case kSyncHint:
      return set(traits.sync_hint, trait.value, kContended, kPrivate);
    case kAlignment:
      return set_alignment(traits, trait.value);
    case abi::kAccess:
      return set_access(traits, trait.value);
    case kPoolSize:
      return set_pool_size(traits, trait.value);
    case kFallback:
      return set(traits.fallback, trait.value, memory::Fallback::kDefaultMemory,
                 memory::Fallback::kAllocator);
    case kFallbackTo:
      return set_fallback_to(traits, trait.value);
    case kPinned:
      return set_pinned(traits, trait.value);
    case kPartition:
      return set(traits.partition, trait.value, kEnvironment, kInterleaved);
    case kPinDevice:
    case kPreferredDevice:
      return true;  // a device's number, which the program may have computed
    case kDeviceAccess:
    case kTargetAccess:
      return is_hint(trait.value, {kSingle, kMultiple});
    case kAtomicScope:
      return is_hint(trait.value, {kAllNow, kDevice});
    case kPartSize:
      return trait.value > 0;
    default:
      return false;
  }
}

std::optional<memory::Space> space_of(uintptr_t number) {
  if (std::ranges::find(kOrdinarySpaces, number) != std::end(kOrdinarySpaces))
    return memory::Space::kDefault;
  if (number > static_cast<uintptr_t>(memory::Space::kLowLatency)) return std::nullopt;
  return static_cast<memory::Space>(number);
}

// Placing needs the machine's topology.
[[gnu::noinline]] void meet_machine() {
  region::me();
  team::meet_machine();
}
inline Allocator& ready(Allocator& allocator) {
  if (allocator.places()) [[unlikely]]
    meet_machine();
  return allocator;
}

[[gnu::noinline]] Allocator& other_allocator(Handle handle) {
  return handle == memory::kNullHandle ? *region::icvs_now().allocator
                                       : *memory::find_other(handle);
}
inline Allocator& allocator_of(Handle handle) {
  Allocator* const predefined = memory::find_predefined(handle);
  return ready(predefined != nullptr ? *predefined : other_allocator(handle));
}

// The alignment 0 asks for none.
void* allocate(size_t alignment, size_t bytes, Handle handle, Fill fill) {
  alignment = std::max(alignment, size_t{1});
  if (!std::has_single_bit(alignment)) {
    say("an allocation of %zu bytes asks for the alignment %zu, which is no power of two; it gets "
        "no memory",
        bytes, alignment);
    return nullptr;
  }
  return allocator_of(handle).allocate(bytes, alignment, fill);
}

}  // namespace

Handle init_allocator(uintptr_t space, int64_t count, const Trait* traits) {
  const auto known_space = space_of(space);
  if (!known_space) {
    say("omp_init_allocator: %zu is no memory space; there are %s", size_t{space},
        kSpacesThatExist);
    return memory::kNullHandle;
  }
  memory::Description description{.space = *known_space, .traits = {}};
  for (int64_t i = 0; i < count; ++i)
    if (!set(description.traits, traits[i])) {
      say("omp_init_allocator: trait %d cannot have the value %zu; there is no such allocator",
          traits[i].key, size_t{traits[i].value});
      return memory::kNullHandle;
    }
  if (description.traits.fallback == memory::Fallback::kAllocator &&
      description.traits.fallback_to == nullptr) {
    say("omp_init_allocator: the fallback allocator_fb needs an allocator as fb_data");
    return memory::kNullHandle;
  }
  Allocator* const made = memory::make(description);
  return made == nullptr ? memory::kNullHandle : made->handle();
}

bool is_space(uintptr_t number) { return space_of(number).has_value(); }

Handle predefined_allocator(uintptr_t space) {
  const auto known = space_of(space);
  return known ? memory::kDefaultHandle + static_cast<Handle>(*known) : memory::kNullHandle;
}

Handle get_default_allocator() { return region::icvs_now().allocator->handle(); }

void set_default_allocator(Handle handle) {
  region::writable_icvs_now().allocator =
      memory::find(handle == memory::kNullHandle ? memory::kDefaultHandle : handle);
}

void* allocate(size_t alignment, size_t bytes, Handle handle) {
  return allocate(alignment, bytes, handle, Fill::kNone);
}

void* allocate_zeros(size_t alignment, size_t count, size_t bytes, Handle handle) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  return allocate(alignment, all, handle, Fill::kZero);
}

void* reallocate(void* block, size_t bytes, Handle handle, Handle free_handle) {
  if (handle == memory::kNullHandle) handle = free_handle;  // one of the two stands for both
  if (bytes == 0) {
    memory::release(block);
    return nullptr;
  }
  if (block == nullptr) return allocator_of(handle).allocate(bytes, 1, Fill::kNone);
  Allocator& allocator =
      handle == memory::kNullHandle ? ready(memory::owner_of(block)) : allocator_of(handle);
  return allocator.reallocate(block, bytes);
}

}  // namespace vicino::abi

using abi::Trait;

VICINO_API Handle omp_init_allocator(uintptr_t space, int count, const Trait* traits) {
  return abi::init_allocator(space, count, traits);
}
VICINO_API Handle omp_init_allocator_(const uintptr_t* space, const int* count,
                                      const Trait* traits) {
  return abi::init_allocator(*space, *count, traits);
}
VICINO_API Handle omp_init_allocator_8_(const uintptr_t* space, const int64_t* count,
                                        const Trait* traits) {
  return abi::init_allocator(*space, *count, traits);
}

VICINO_API void omp_destroy_allocator(Handle handle) { memory::destroy(memory::find(handle)); }
VICINO_API void omp_destroy_allocator_(const Handle* handle) { omp_destroy_allocator(*handle); }

VICINO_API void omp_set_default_allocator(Handle handle) { abi::set_default_allocator(handle); }
VICINO_API void omp_set_default_allocator_(const Handle* handle) {
  abi::set_default_allocator(*handle);
}
VICINO_API Handle omp_get_default_allocator() { return abi::get_default_allocator(); }
VICINO_API Handle omp_get_default_allocator_() { return abi::get_default_allocator(); }

// Fortran calls these by their C names.
VICINO_API void* omp_alloc(size_t bytes, Handle handle) {
  return abi::allocator_of(handle).allocate(bytes, 1, Fill::kNone);
}
VICINO_API void* omp_aligned_alloc(size_t alignment, size_t bytes, Handle handle) {
  return abi::allocate(alignment, bytes, handle);
}
VICINO_API void* omp_calloc(size_t count, size_t bytes, Handle handle) {
  return abi::allocate_zeros(1, count, bytes, handle);
}
VICINO_API void* omp_aligned_calloc(size_t alignment, size_t count, size_t bytes, Handle handle) {
  return abi::allocate_zeros(alignment, count, bytes, handle);
}
VICINO_API void* omp_realloc(void* block, size_t bytes, Handle handle, Handle free_handle) {
  return abi::reallocate(block, bytes, handle, free_handle);
}
VICINO_API void omp_free(void* block, Handle) { memory::release(block); }
