// bell.hpp: sleeping on a word in memory that processes share. Those of plat are private to a process.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::lend {

// Returns when the word is another than `seen`, when it was woken, after `ns`, or for no reason.
void wait_between_processes(const plat::atomic<uint32_t>& word, uint32_t seen,
                            uint64_t ns) noexcept;
void wake_between_processes(const plat::atomic<uint32_t>& word) noexcept;

}  // namespace vicino::lend
