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

// Of Gate::open_from as the ring uses it; by itself it promises both.
inline constexpr Spare kClaimAcquire = {"Gate::open_from", "acq_rel -> release",
                                        "Slot::enter has read the same zero with acquire"};
inline constexpr Spare kClaimRelease = {
    "Gate::open_from", "acq_rel -> acquire",
    "who sees `being set up` waits for `open`, another release"};

}  // namespace vicino::model
