// shared_futex.hpp: sleeping on a word in memory that processes share; plat.hpp's sleep_on() is for the
// threads of one process.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::lend {

// Sleeps while the word is `seen`; may return early.
void sleep_while(const plat::atomic<uint32_t>& word, uint32_t seen) noexcept;
void wake_all(const plat::atomic<uint32_t>& word) noexcept;

}  // namespace vicino::lend
