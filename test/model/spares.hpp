// spares.hpp: orders in src/ that are stronger than their protocols need, with the reason to keep
// them.
#pragma once

#include "expect.hpp"

namespace vicino::model {

inline constexpr Spare kGateSpare = {
    "Gate::sleep", "acquire -> relaxed",
    "when the CAS succeeds the thread sleeps, and then loads again"};
inline constexpr Spare kLockSpare = {"Lock::acquire_contended", "acquire -> relaxed",
                                     "of wait_on, which always acquires; try_acquire does too"};

}  // namespace vicino::model
