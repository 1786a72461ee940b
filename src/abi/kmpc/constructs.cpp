// constructs.cpp: LLVM's barrier, single, master, critical, flush, copyprivate.
#include "team/constructs.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "team/cancel.hpp"

using namespace vicino;
using kmpc::CriticalName;
using kmpc::Ident;
using team::Member;

namespace {

sync::Lock& lock_in(CriticalName& name) { return reinterpret_cast<sync::Lock&>(name); }

}  // namespace

VICINO_API void __kmpc_barrier(Ident*, int32_t) { team::barrier(team::me()); }
// For a barrier whose thread 0 does something before the others go on: 1 on that thread, which then
// calls __kmpc_end_barrier_master; the second meeting is there.
VICINO_API int32_t __kmpc_barrier_master(Ident*, int32_t) {
  Member& member = team::me();
  team::barrier(member);
  if (member.id == 0) return 1;
  team::barrier(member);
  return 0;
}
VICINO_API void __kmpc_end_barrier_master(Ident*, int32_t) { team::barrier(team::me()); }
VICINO_API int32_t __kmpc_barrier_master_nowait(Ident*, int32_t) {
  Member& member = team::me();
  team::barrier(member);
  return member.id == 0;
}

VICINO_API int32_t __kmpc_single(Ident*, int32_t) { return team::take_single(team::me()); }
VICINO_API void __kmpc_end_single(Ident*, int32_t) {}
VICINO_API int32_t __kmpc_master(Ident*, int32_t) { return team::me().id == 0; }
VICINO_API void __kmpc_end_master(Ident*, int32_t) {}
VICINO_API int32_t __kmpc_masked(Ident*, int32_t, int32_t filter) {
  return team::me().id == filter;
}
VICINO_API void __kmpc_end_masked(Ident*, int32_t) {}

VICINO_API void __kmpc_copyprivate(Ident*, int32_t, size_t, void* data,
                                   void (*copy)(void* to, void* from), int32_t did_it) {
  Member& member = team::me();
  if (member.team->size == 1) return;
  if (did_it)
    team::give_copy(member, data);
  else
    copy(data, team::get_copy(member));
  team::barrier(member);
}

VICINO_API void __kmpc_critical(Ident*, int32_t, CriticalName* name) {
  lock_in(*name).acquire(team::lock_patience(team::me()));
}
VICINO_API void __kmpc_critical_with_hint(Ident*, int32_t, CriticalName* name, uint32_t) {
  lock_in(*name).acquire(team::lock_patience(team::me()));
}
VICINO_API void __kmpc_end_critical(Ident*, int32_t, CriticalName* name) {
  lock_in(*name).release();
}

VICINO_API void __kmpc_flush(Ident*) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

namespace {

// What __kmpc_reduce* tell the compiled code to do with its partial result.
enum Advice : int32_t { kNothing = 0, kCombine = 1, kCombineAtomically = 2 };

Advice reduce(Ident* where, bool blocking, void* data, team::Combine combine, CriticalName& name) {
  Member& member = team::me();
  const bool atomic = where != nullptr && (where->flags & kmpc::kAtomicReduce) != 0;
  member.reducing = team::choose_reduction(member, atomic);
  switch (member.reducing) {
    case team::Reduction::kNone:
      return kCombine;
    case team::Reduction::kAtomic:
      return kCombineAtomically;
    case team::Reduction::kCritical:
      lock_in(name).acquire(team::lock_patience(member));
      return kCombine;
    case team::Reduction::kTree:
      break;
  }
  const bool first = team::reduce_tree(member, data, combine);
  // Without the blocking form's end call, member 0's result need not be in place before others go
  // on.
  if (!first || !blocking) team::let_go(member);
  return first ? kCombine : kNothing;
}

}  // namespace

VICINO_API int32_t __kmpc_reduce_nowait(Ident* where, int32_t, int32_t, size_t, void* data,
                                        team::Combine combine, CriticalName* name) {
  return reduce(where, false, data, combine, *name);
}
VICINO_API void __kmpc_end_reduce_nowait(Ident*, int32_t, CriticalName* name) {
  if (team::me().reducing == team::Reduction::kCritical) lock_in(*name).release();
}
VICINO_API int32_t __kmpc_reduce(Ident* where, int32_t, int32_t, size_t, void* data,
                                 team::Combine combine, CriticalName* name) {
  return reduce(where, true, data, combine, *name);
}
// Called by each member that was told to combine; all of these wait for each other here.
VICINO_API void __kmpc_end_reduce(Ident*, int32_t, CriticalName* name) {
  Member& member = team::me();
  if (member.reducing == team::Reduction::kCritical) lock_in(*name).release();
  if (member.reducing == team::Reduction::kTree) return team::let_go(member);
  team::reduction_barrier(member);
}
