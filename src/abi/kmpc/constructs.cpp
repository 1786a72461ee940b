// constructs.cpp: LLVM's barrier, single, master, critical, flush, copyprivate.
#include "region/constructs.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/watched.hpp"
#include "event/sync.hpp"
#include "region/cancel.hpp"
#include "region/locks.hpp"

using namespace vicino;
using kmpc::CriticalName;
using kmpc::Ident;
using team::Member;

namespace {

sync::ForkedLock& lock_in(CriticalName& name) { return reinterpret_cast<sync::ForkedLock&>(name); }

void tell_kind(const Ident* where) {
  if (where == nullptr) return;
  if ((where->flags & kmpc::kBarrierConstruct) != 0)
    event::next_barrier_is(ompt::Sync::kExplicitBarrier);
  else if ((where->flags & kmpc::kBarrierOfWorkshare) != 0)
    event::next_barrier_is(ompt::Sync::kWorkshareBarrier);
}

// The construct masked, while a tool watches.
bool tell_masked(bool mine) {
  if (mine) event::masked_begins();
  return mine;
}

}  // namespace

VICINO_API void __kmpc_barrier(Ident* where, int32_t) {
  VICINO_EITHER((tell_kind(where), region::barrier(region::me())), region::barrier(region::me()));
}
// A barrier at which thread 0 does something before the others go on. Thread 0 gets 1 and then
// calls __kmpc_end_barrier_master, where all threads meet for the second time.
VICINO_API int32_t __kmpc_barrier_master(Ident* where, int32_t) {
  if (VICINO_WATCHED()) tell_kind(where);
  Member& member = region::me();
  region::barrier(member);
  if (member.id == 0) return 1;
  region::barrier(member);
  return 0;
}
VICINO_API void __kmpc_end_barrier_master(Ident*, int32_t) {
  VICINO_WATCHED();
  region::barrier(region::me());
}
VICINO_API int32_t __kmpc_barrier_master_nowait(Ident* where, int32_t) {
  if (VICINO_WATCHED()) tell_kind(where);
  Member& member = region::me();
  region::barrier(member);
  return member.id == 0;
}

VICINO_API int32_t __kmpc_single(Ident*, int32_t) {
  VICINO_EITHER(abi::tell_single(region::take_single(region::me())),
                region::take_single(region::me()));
}
VICINO_API void __kmpc_end_single(Ident*, int32_t) { VICINO_EITHER(event::work_ends(), void()); }
VICINO_API int32_t __kmpc_master(Ident*, int32_t) {
  VICINO_EITHER(tell_masked(region::me().id == 0), region::me().id == 0);
}
VICINO_API void __kmpc_end_master(Ident*, int32_t) { VICINO_EITHER(event::masked_ends(), void()); }
VICINO_API int32_t __kmpc_masked(Ident*, int32_t, int32_t filter) {
  VICINO_EITHER(tell_masked(region::me().id == filter), region::me().id == filter);
}
VICINO_API void __kmpc_end_masked(Ident*, int32_t) { VICINO_EITHER(event::masked_ends(), void()); }
VICINO_API void __kmpc_scope(Ident*, int32_t, void*) {
  VICINO_EITHER(event::work_begins(ompt::Work::kScope, 1), void());
}
VICINO_API void __kmpc_end_scope(Ident*, int32_t, void*) {
  VICINO_EITHER(event::work_ends(), void());
}

VICINO_API void __kmpc_copyprivate(Ident*, int32_t, size_t, void* data,
                                   void (*copy)(void* to, void* from), int32_t did_it) {
  VICINO_WATCHED();
  Member& member = region::me();
  if (member.team->size == 1) return;
  if (did_it)
    region::give_copy(member, data);
  else
    copy(data, region::get_copy(member));
  region::barrier(member);
}

// copyprivate for compiled code that copies by itself and then makes a barrier: the member that ran
// the single gives its data, and each member gets their address.
VICINO_API void* __kmpc_copyprivate_light(Ident*, int32_t, void* data) {
  Member& member = region::me();
  if (member.team->size == 1) return data;
  if (data == nullptr) return region::get_copy(member);
  region::give_copy(member, data);
  return data;
}

VICINO_API void __kmpc_critical(Ident*, int32_t, CriticalName* name) {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kCritical, lock_in(*name)),
                region::enter_critical(lock_in(*name)));
}
VICINO_API void __kmpc_critical_with_hint(Ident*, int32_t, CriticalName* name, uint32_t hint) {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kCritical, lock_in(*name), hint),
                region::enter_critical(lock_in(*name)));
}
VICINO_API void __kmpc_end_critical(Ident*, int32_t, CriticalName* name) {
  VICINO_EITHER(abi::watched_release(ompt::Mutex::kCritical, lock_in(*name)),
                region::leave_critical(lock_in(*name)));
}

VICINO_API void __kmpc_flush(Ident*) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  VICINO_EITHER(event::flush(), void());
}
// Intel's compilers say with which memory order, and for which scope; this is the strongest.
VICINO_API void __kmpc_flush_explicit(Ident*, int32_t, int32_t) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  VICINO_EITHER(event::flush(), void());
}

namespace {

// The answers of __kmpc_reduce*: what the compiled code is to do with its partial result.
enum Advice : int32_t { kNothing = 0, kCombine = 1, kCombineAtomically = 2 };

Advice reduce(Ident* where, bool blocking, void* data, region::Combine combine,
              CriticalName& name) {
  Member& member = region::me();
  const bool atomic = where != nullptr && (where->flags & kmpc::kAtomicReduce) != 0;
  member.reducing = region::choose_reduction(member, atomic, blocking);
  switch (member.reducing) {
    case team::Reduction::kNone:
      return kCombine;
    case team::Reduction::kAtomic:
      return kCombineAtomically;
    case team::Reduction::kCritical:
      lock_in(name).acquire(region::lock_patience(member));
      return kCombine;
    case team::Reduction::kTree:
      break;
  }
  const bool first = region::reduce_tree(member, data, combine);
  // The nowait form has no end call: other members need not wait until member 0's result is in
  // place.
  if (!first || !blocking) region::let_go(member);
  return first ? kCombine : kNothing;
}

// The reduction lasts until the end call, where the compiled code makes one. It makes none for the nowait
// form by atomic operations, in which no thread waits for another.
[[gnu::cold]] Advice watched_reduce(Ident* where, bool blocking, void* data,
                                    region::Combine combine, CriticalName& name) {
  event::reduction_begins();
  const Advice advice = reduce(where, blocking, data, combine, name);
  if (advice == kNothing || (advice == kCombineAtomically && !blocking)) event::reduction_ends();
  return advice;
}

void end_reduce_nowait(CriticalName& name) {
  if (region::me().reducing == team::Reduction::kCritical) lock_in(name).release();
}
void end_reduce(CriticalName& name) {
  Member& member = region::me();
  if (member.reducing == team::Reduction::kCritical) lock_in(name).release();
  if (member.reducing == team::Reduction::kTree) return region::let_go(member);
  region::reduction_barrier(member);
}

}  // namespace

VICINO_API int32_t __kmpc_reduce_nowait(Ident* where, int32_t, int32_t, size_t, void* data,
                                        region::Combine combine, CriticalName* name) {
  VICINO_EITHER(watched_reduce(where, false, data, combine, *name),
                reduce(where, false, data, combine, *name));
}
VICINO_API void __kmpc_end_reduce_nowait(Ident*, int32_t, CriticalName* name) {
  VICINO_EITHER((event::reduction_ends(), end_reduce_nowait(*name)), end_reduce_nowait(*name));
}
VICINO_API int32_t __kmpc_reduce(Ident* where, int32_t, int32_t, size_t, void* data,
                                 region::Combine combine, CriticalName* name) {
  VICINO_EITHER(watched_reduce(where, true, data, combine, *name),
                reduce(where, true, data, combine, *name));
}
// Each member that was told to combine calls this; all of them wait for each other here.
VICINO_API void __kmpc_end_reduce(Ident*, int32_t, CriticalName* name) {
  VICINO_EITHER((event::reduction_ends(), end_reduce(*name)), end_reduce(*name));
}
