// loop.hpp: how GCC's loops begin, for the files that have their entry points.
#pragma once

#include "region/loops.hpp"

namespace vicino::gomp {

using loop::ScheduleKind;
using region::LoopRequest;
using region::Order;
using Ull = unsigned long long;

// The schedule in the name of an entry point. kRuntime means run-sched-var, whatever its kind.
//
// gcc also calls the nonmonotonic forms for a plain schedule(dynamic), which the standard allows.
// In libgomp each thread's chunks ascend nevertheless, and programs rely on it: in megahit, the
// largest iterations come first, and each thread reserves a buffer for its first iteration. Only a
// user who says nonmonotonic, by OMP_SCHEDULE, gets that.
struct Named {
  ScheduleKind kind = ScheduleKind::kStatic;
  bool runtime = false;
  Order order = Order::kMonotonic;
  LoopRequest::Form form = LoopRequest::Form::kChunks;
};
inline constexpr Named kStatic{};
inline constexpr Named kDynamic{ScheduleKind::kDynamic};
inline constexpr Named kGuided{ScheduleKind::kGuided};
inline constexpr Named kRuntime{ScheduleKind::kStatic, true};
inline constexpr Named kNonmonotonicDynamic{ScheduleKind::kDynamic, false, Order::kAscending};
inline constexpr Named kNonmonotonicGuided{ScheduleKind::kGuided, false, Order::kAscending};
inline constexpr Named kNonmonotonicRuntime{ScheduleKind::kStatic, true, Order::kAscending};
constexpr Named ordered(Named named) {
  named.order = Order::kOrdered;
  return named;
}
constexpr Named doacross(Named named) {
  named.form = LoopRequest::Form::kDoacross;
  named.order = std::max(named.order, Order::kMonotonic);
  return named;
}

// The schedule of a loop that names it by number: gomp_schedule_type.
Named named_by(long schedule);

// A loop begins, and its thread gets its first chunk; false if there is none. `site`: where the
// compiled code begins it.
bool start_long(const void* site, const Named& named, long start, long end, long step, long chunk,
                long* first, long* last);
// `up` gives the sign of the step, which is unsigned.
bool start_ull(const void* site, const Named& named, bool up, Ull start, Ull end, Ull step,
               Ull chunk, Ull* first, Ull* last);

}  // namespace vicino::gomp
