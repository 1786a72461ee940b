// api.hpp: how the entry points of a foreign ABI are declared.
#pragma once

#include <errno.h>

#include <new>

// Put before a definition: C linkage, visible outside the library. The name has a row in
// symbols.txt.
#define VICINO_API extern "C" __attribute__((visibility("default")))

namespace vicino::abi {

// What work() returns, for a program that may be C: no exception may reach it. The only possible
// one is lack of memory.
template <class Work>
int answer(Work work) noexcept {
  const int saved = errno;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    errno = saved;
    return ENOMEM;
  }
}

}  // namespace vicino::abi
