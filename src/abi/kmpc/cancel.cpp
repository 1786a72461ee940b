// cancel.cpp: LLVM's cancellation.
#include "region/cancel.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/say.hpp"
#include "event/tasks.hpp"
#include "region/constructs.hpp"
#include "region/roots.hpp"

using namespace vicino;
using kmpc::Ident;
using region::Construct;

namespace {

Construct construct_of(int32_t kind) {
  switch (kind) {
    case 1:
      return Construct::kParallel;
    case 2:
    case 3:
      return Construct::kLoop;
    case 4:
      return Construct::kTaskgroup;
    default:
      die("cancellation of kind %d was asked for; the kinds are 1 (parallel), 2 (loop), "
          "3 (sections) and 4 (taskgroup)",
          kind);
  }
}

}  // namespace

namespace {

int32_t tell(int32_t cancelled, int32_t kind, ompt::CancelFlag how) {
  constexpr ompt::CancelFlag kWhat[] = {ompt::kCancelParallel, ompt::kCancelLoop,
                                        ompt::kCancelSections, ompt::kCancelTaskgroup};
  if (cancelled != 0) event::cancel(kWhat[kind - 1] | how);
  return cancelled;
}

}  // namespace

VICINO_API int32_t __kmpc_cancel(Ident*, int32_t, int32_t kind) {
  if (VICINO_WATCHED())
    return tell(region::cancel(region::me(), construct_of(kind)), kind, ompt::kActivated);
  return region::cancel(region::me(), construct_of(kind));
}
VICINO_API int32_t __kmpc_cancellationpoint(Ident*, int32_t, int32_t kind) {
  if (VICINO_WATCHED())
    return tell(region::is_cancelled(region::me(), construct_of(kind)), kind, ompt::kDetected);
  return region::is_cancelled(region::me(), construct_of(kind));
}
// A member that has just learned that its region is cancelled also calls this, before it leaves.
VICINO_API int32_t __kmpc_cancel_barrier(Ident*, int32_t) {
  VICINO_WATCHED();
  team::Member& member = region::me();
  region::barrier(member);
  return team::has_left(member);
}

// Whether the construct is cancelled; the caller may go on.
VICINO_API int kmp_get_cancellation_status(int kind) {
  const Construct construct = construct_of(kind);
  team::Member* const member = team::self;
  return member != nullptr && member->team->icvs.cancellation() &&
         region::was_cancelled(*member, construct);
}
VICINO_API int kmp_get_cancellation_status_(const int* kind) {
  return kmp_get_cancellation_status(*kind);
}
