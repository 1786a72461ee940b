// cancel.cpp: GCC's cancellation.
#include "team/cancel.hpp"

#include "abi/api.hpp"
#include "base/say.hpp"
#include "team/fork.hpp"

using namespace vicino;
using team::Construct;

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

// Whether the region is cancelled; a loop that ends here is over in any case.
bool cancellable_barrier() {
  team::Member& member = team::me();
  team::barrier(member);
  return team::has_left(member);
}

}  // namespace

VICINO_API bool GOMP_cancellation_point(int which) {
  return team::is_cancelled(team::me(), construct_of(which));
}
// `condition`: of the if clause; when false, a cancellation point is left.
VICINO_API bool GOMP_cancel(int which, bool condition) {
  if (!condition) return GOMP_cancellation_point(which);
  return team::cancel(team::me(), construct_of(which));
}
VICINO_API bool GOMP_barrier_cancel() { return cancellable_barrier(); }
VICINO_API bool GOMP_loop_end_cancel() { return cancellable_barrier(); }
VICINO_API bool GOMP_sections_end_cancel() { return cancellable_barrier(); }
