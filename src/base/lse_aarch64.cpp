// lse_aarch64.cpp: whether the processor has Armv8.1's atomic instructions, for lse_aarch64.S. Before the library's
// constructors run it counts as having none: both ways may be used on one word.
#include <stdint.h>
#include <sys/auxv.h>

extern "C" [[gnu::visibility("hidden")]] constinit uint8_t vicino_has_lse;
constinit uint8_t vicino_has_lse = 0;

namespace {
constexpr unsigned long kAtomics = 1 << 8;  // HWCAP_ATOMICS, of the kernel

[[gnu::constructor(101)]] void ask() noexcept {
  vicino_has_lse = (getauxval(AT_HWCAP) & kAtomics) != 0;
}
}  // namespace
