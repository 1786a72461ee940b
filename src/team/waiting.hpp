// waiting.hpp: how long a team's threads may poll before they sleep. It follows from the user's
// settings, and from whether the team has the CPUs to itself.
#pragma once

#include <optional>

#include "sync/patience.hpp"

namespace vicino::team {

// `threads`: how many threads may be awake at once. The result lives as long as the process.
const sync::PatienceLimits& limits_for(int threads) noexcept;
// For a team that has no more threads than there are CPUs, while other teams of the process have theirs.
const sync::PatienceLimits& limits_beside_teams() noexcept;
// For the wait for the next region, after one with these limits.
const sync::PatienceLimits& limits_between_regions(const sync::PatienceLimits& in_region) noexcept;
// How many threads can run at once.
int running_at_once() noexcept;

// kmp_set_blocktime: from the next region on, all threads poll for `ns` before they sleep.
void set_blocktime(uint64_t ns);
// The time that set_blocktime() or the environment has set last; no value if waiting is learned.
std::optional<uint64_t> blocktime() noexcept;

}  // namespace vicino::team
