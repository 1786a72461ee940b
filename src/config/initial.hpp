// initial.hpp: values that the settings share with a task's ICVs.
#pragma once

#include <climits>
#include <cstdint>

#include "loop/schedule_kind.hpp"

namespace vicino::loop {
struct Selection;
}

namespace vicino::config {

using loop::Monotonicity;
using loop::ScheduleKind;

inline constexpr int kUnlimited = INT_MAX;

// OMP_SCHEDULE. Unset means kAuto: def-sched-var is the implementation's to choose, and Vicino
// chooses per call site. In its place libomp would take static and libgomp dynamic.
struct Schedule {
  ScheduleKind kind = ScheduleKind::kAuto;
  Monotonicity mono = Monotonicity::kUnspecified;
  std::int64_t chunk = 0;                  // 0: the kind's own default
  const loop::Selection* named = nullptr;  // of kNamed: kept by loop::keep()

  bool operator==(const Schedule&) const = default;
};

}  // namespace vicino::config
