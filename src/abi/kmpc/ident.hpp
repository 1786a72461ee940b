// ident.hpp: LLVM's types, as its compilers lay them out.
#pragma once

#include <cstdint>

namespace vicino::kmpc {

inline constexpr int kFatal = 2;  // of the clause severity; 1: a warning

// The place in the source that a call comes from.
struct Ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char* source;  // ";file;function;line;column;;"
};

// Ident::flags: the compiler also made code that combines by atomic operations.
inline constexpr int32_t kAtomicReduce = 0x10;

// Ident::flags of barriers: what they end, if they are no barrier constructs.
inline constexpr int32_t kBarrierConstruct = 0x20, kBarrierOfWorkshare = 0x40;

// Ident::flags of static loops that are not worksharing loops: the sections construct, and
// distribute.
inline constexpr int32_t kWorkSections = 0x400, kWorkDistribute = 0x800;

// The name of a critical section, or the lock of a reduction: zeros at first, for the runtime's
// use.
using CriticalName = int32_t[8];

using Microtask = void(int32_t* gtid, int32_t* tid, ...);

}  // namespace vicino::kmpc
