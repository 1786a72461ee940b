// cancel.cpp: GCC's cancellation.
#include "region/cancel.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "base/say.hpp"
#include "event/sync.hpp"
#include "event/tasks.hpp"
#include "region/constructs.hpp"
#include "region/doacross.hpp"
#include "region/roots.hpp"

using namespace vicino;
using region::Construct;

namespace {

Construct construct_of(int which) {
  switch (which) {
    case 1:
      return Construct::kParallel;
    case 2:
    case 4:
      return Construct::kLoop;
    case 8:
      return Construct::kTaskgroup;
    default:
      die("cancellation of kind %d was asked for; the kinds are 1 (parallel), 2 (loop), "
          "4 (sections) and 8 (taskgroup)",
          which);
  }
}

bool tell(bool cancelled, int which, ompt::CancelFlag how) {
  if (!cancelled) return false;
  constexpr int kSections = 4;
  switch (construct_of(which)) {
    case Construct::kParallel:
      event::cancel(ompt::kCancelParallel | how);
      break;
    case Construct::kLoop:
      event::cancel((which == kSections ? ompt::kCancelSections : ompt::kCancelLoop) | how);
      break;
    case Construct::kTaskgroup:
      event::cancel(ompt::kCancelTaskgroup | how);
  }
  return true;
}

// Whether the region is cancelled; a loop that ends at this barrier is over in any case.
bool cancellable_barrier() {
  team::Member& member = region::me();
  region::barrier(member);
  return team::has_left(member);
}

}  // namespace

VICINO_API bool GOMP_cancellation_point(int which) {
  const bool watched = VICINO_WATCHED();
  const bool cancelled = region::is_cancelled(region::me(), construct_of(which));
  return watched ? tell(cancelled, which, ompt::kDetected) : cancelled;
}
// `condition` is that of the if clause; when it is false, the call is only a cancellation point.
VICINO_API bool GOMP_cancel(int which, bool condition) {
  if (!condition) return GOMP_cancellation_point(which);
  const bool watched = VICINO_WATCHED();
  const bool cancelled = region::cancel(region::me(), construct_of(which));
  return watched ? tell(cancelled, which, ompt::kActivated) : cancelled;
}
VICINO_API bool GOMP_barrier_cancel() {
  if (VICINO_WATCHED()) event::next_barrier_is(ompt::Sync::kExplicitBarrier);
  return cancellable_barrier();
}
VICINO_API bool GOMP_loop_end_cancel() {
  if (VICINO_WATCHED()) event::next_barrier_is(ompt::Sync::kWorkshareBarrier);
  region::end_doacross(region::me());
  return cancellable_barrier();
}
VICINO_API bool GOMP_sections_end_cancel() {
  if (VICINO_WATCHED()) event::next_barrier_is(ompt::Sync::kWorkshareBarrier);
  return cancellable_barrier();
}
