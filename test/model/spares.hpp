// spares.hpp: memory orders in src/ that are stronger than their protocols need, with the reason to
// keep them.
#pragma once

#include "expect.hpp"

namespace vicino::model {

inline constexpr Spare kGateSpare = {
    "EventCount::sleep", "acquire -> relaxed",
    "when the CAS succeeds, the thread sleeps and then loads again"};
inline constexpr Spare kLockSpare = {"LockOf<Words>::acquire_contended", "acquire -> relaxed",
                                     "in wait_on, which always acquires, as try_acquire does"};

// These are for the ring's use of EventCount::advance_from; the function itself promises both
// orders.
inline constexpr Spare kClaimAcquire = {"EventCount::advance_from", "acq_rel -> release",
                                        "Slot::enter has read the same zero with acquire"};
inline constexpr Spare kClaimRelease = {
    "EventCount::advance_from", "acq_rel -> acquire",
    "a thread that sees `being set up` waits for `open`, another release"};

}  // namespace vicino::model
