// cancel.cpp: GCC's cancellation.
#include "region/cancel.hpp"

#include "abi/api.hpp"
#include "base/say.hpp"
#include "region/doacross.hpp"
#include "region/fork.hpp"

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

// Whether the region is cancelled; a loop that ends at this barrier is over in any case.
bool cancellable_barrier() {
  team::Member& member = team::me();
  region::barrier(member);
  return team::has_left(member);
}

}  // namespace

VICINO_API bool GOMP_cancellation_point(int which) {
  return region::is_cancelled(team::me(), construct_of(which));
}
// `condition` is that of the if clause; when it is false, the call is only a cancellation point.
VICINO_API bool GOMP_cancel(int which, bool condition) {
  if (!condition) return GOMP_cancellation_point(which);
  return region::cancel(team::me(), construct_of(which));
}
VICINO_API bool GOMP_barrier_cancel() { return cancellable_barrier(); }
VICINO_API bool GOMP_loop_end_cancel() {
  region::end_doacross(team::me());
  return cancellable_barrier();
}
VICINO_API bool GOMP_sections_end_cancel() { return cancellable_barrier(); }
