// waiting.hpp: how patient a team may be: the user's word, and whether it has the CPUs to itself.
#pragma once

#include "sync/patience.hpp"

namespace vicino::team {

// `threads`: how many may be awake at once. The result lives forever.
const sync::PatienceLimits& limits_for(int threads) noexcept;

}  // namespace vicino::team
