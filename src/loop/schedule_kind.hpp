// schedule_kind.hpp: the vocabulary of OpenMP's schedule clause, and nothing of Vicino's own.
//
// Why    The settings name a kind, the ABIs translate one, the registry maps one to a scheduler:
//        all three agree here without including one another.
// Not    the list of schedulers: that is the registry, which has more rows than there are kinds.
#pragma once

#include <cstdint>

namespace vicino::loop {

// kNamed: one of the registry's rows, with its parameters.
enum class ScheduleKind : std::uint8_t { kStatic, kDynamic, kGuided, kAuto, kTrapezoid, kNamed };

// kUnspecified lets the scheduler choose; since OpenMP 5.0 a dynamic loop may then be nonmonotonic.
enum class Monotonicity : std::uint8_t { kUnspecified, kMonotonic, kNonmonotonic };

}  // namespace vicino::loop
