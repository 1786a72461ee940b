// traits.hpp: what an OpenMP allocator promises about its memory.
//
// The enumerators have OpenMP's own numbers, which are the same in the headers of gcc and clang, so
// the ABI can check a number against a list and convert it. What newer headers number otherwise, the
// ABI translates (abi/omp/memory.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace vicino::memory {

enum class Space : uint8_t { kDefault, kLargeCap, kConst, kHighBandwidth, kLowLatency };

enum class SyncHint : uint8_t { kContended = 3, kUncontended, kSerialized, kPrivate };
enum class Access : uint8_t { kAll = 7, kThread, kPteam, kCgroup };
enum class Fallback : uint8_t { kDefaultMemory = 11, kNull, kAbort, kAllocator };
enum class Partition : uint8_t { kEnvironment = 15, kNearest, kBlocked, kInterleaved };

class Allocator;

// The members' initial values are OpenMP's defaults.
//
// `sync_hint` and `access` need nothing: all memory of the process is accessible to all its
// threads, and every allocator may be used by several threads at once.
struct Traits {
  static constexpr size_t kNoLimit = SIZE_MAX;

  SyncHint sync_hint = SyncHint::kContended;
  Access access = Access::kAll;
  Fallback fallback = Fallback::kDefaultMemory;
  Partition partition = Partition::kEnvironment;
  bool pinned = false;
  size_t alignment = 1;              // a power of two
  size_t pool_size = kNoLimit;       // in bytes, as the program asks for them
  Allocator* fallback_to = nullptr;  // for Fallback::kAllocator
  bool operator==(const Traits&) const = default;
};

struct Description {
  Space space = Space::kDefault;
  Traits traits;
  bool operator==(const Description&) const = default;
};

}  // namespace vicino::memory
