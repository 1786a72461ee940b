// ident.hpp: LLVM's types, as its compilers lay them out.
#pragma once

#include <cstdint>

namespace vicino::kmpc {

// Where in the source a call comes from.
struct Ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char* source;  // ";file;function;line;column;;"
};

// Ident::flags: the compiler made code for combining by atomic operations.
inline constexpr int32_t kAtomicReduce = 0x10;

// What a static loop comes from that is none: the sections construct, and distribute.
inline constexpr int32_t kWorkSections = 0x400, kWorkDistribute = 0x800;

// A critical section's name, or a lock that a reduction uses: zeros at first, ours to use.
using CriticalName = int32_t[8];

using Microtask = void(int32_t* gtid, int32_t* tid, ...);

}  // namespace vicino::kmpc
