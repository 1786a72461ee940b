// waiting.hpp: how patient a team may be: the user's word, and whether it has the CPUs to itself.
#pragma once

#include <optional>

#include "sync/patience.hpp"

namespace vicino::team {

// `threads`: how many may be awake at once. The result lives forever.
const sync::PatienceLimits& limits_for(int threads) noexcept;

// kmp_set_blocktime: from the next region on, all threads poll for so long before they sleep.
void set_blocktime(uint64_t ns);
// What was last set so, or by the environment; nothing if waiting is learned.
std::optional<uint64_t> blocktime() noexcept;

}  // namespace vicino::team
