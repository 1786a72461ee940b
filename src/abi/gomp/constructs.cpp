// constructs.cpp: GCC's barrier, single, critical, atomic and sections.
#include "region/constructs.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/reductions.hpp"
#include "abi/gomp/region.hpp"
#include "abi/watched.hpp"
#include "base/line.hpp"
#include "event/sync.hpp"
#include "region/locks.hpp"
#include "region/sections.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using team::Call;
using team::Member;

namespace {

region::GlobalLock unnamed_critical, atomic_lock;

sync::ForkedLock& lock_in(void** name) { return reinterpret_cast<sync::ForkedLock&>(*name); }

void* start_copy(Member& member) {
  return region::take_single(member) ? nullptr : region::get_copy(member);
}

Call sections_call(Function function, void* data, unsigned count) {
  const auto run = [](Member& member, const Call& call) {
    region::begin_sections(member, call.count);
    if (call.function != nullptr) reinterpret_cast<Function>(call.function)(call.args[0]);
  };
  return {run, reinterpret_cast<void*>(function), count, {data}};
}

}  // namespace

VICINO_API void GOMP_barrier() {
  VICINO_EITHER(abi::watched_barrier(ompt::Sync::kExplicitBarrier), region::barrier(region::me()));
}

VICINO_API bool GOMP_single_start() {
  VICINO_EITHER(abi::tell_single(region::take_single(region::me())),
                region::take_single(region::me()));
}
// The thread that is to run the single gets null and later calls GOMP_single_copy_end; the others
// get its data.
VICINO_API void* GOMP_single_copy_start() {
  const bool watched = VICINO_WATCHED();
  void* const copy = start_copy(region::me());
  if (watched) [[unlikely]]
    abi::tell_single(copy == nullptr);
  return copy;
}
VICINO_API void GOMP_single_copy_end(void* data) { region::give_copy(region::me(), data); }

VICINO_API void GOMP_critical_start() {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kCritical, unnamed_critical),
                region::enter_critical(unnamed_critical));
}
VICINO_API void GOMP_critical_end() {
  VICINO_EITHER(abi::watched_release(ompt::Mutex::kCritical, unnamed_critical),
                region::leave_critical(unnamed_critical));
}
// `name` is a pointer of static storage, null at first, for the runtime's use: the lock lies in it.
VICINO_API void GOMP_critical_name_start(void** name) {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kCritical, lock_in(name)),
                region::enter_critical(lock_in(name)));
}
VICINO_API void GOMP_critical_name_end(void** name) {
  VICINO_EITHER(abi::watched_release(ompt::Mutex::kCritical, lock_in(name)),
                region::leave_critical(lock_in(name)));
}
VICINO_API void GOMP_atomic_start() {
  VICINO_EITHER(abi::watched_take(ompt::Mutex::kAtomic, atomic_lock), region::take(atomic_lock));
}
VICINO_API void GOMP_atomic_end() {
  VICINO_EITHER(abi::watched_release(ompt::Mutex::kAtomic, atomic_lock), atomic_lock.release());
}

VICINO_API unsigned GOMP_sections_next() { return region::next_section(region::me()); }
VICINO_API unsigned GOMP_sections_start(unsigned count) {
  VICINO_WATCHED();
  region::begin_sections(region::me(), count);
  return GOMP_sections_next();
}
VICINO_API unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  gomp::begin_worksharing(region::me(), reductions, memory);
  VICINO_WATCHED();
  region::begin_sections(region::me(), count);
  return GOMP_sections_next();
}
VICINO_API void GOMP_sections_end() {
  VICINO_EITHER(abi::watched_barrier(ompt::Sync::kWorkshareBarrier), region::barrier(region::me()));
}
VICINO_API void GOMP_sections_end_nowait() {}

VICINO_API void GOMP_parallel_sections(Function function, void* data, unsigned threads,
                                       unsigned count, unsigned flags) {
  VICINO_WATCHED();
  region::Request request = gomp::request_of(threads, flags);
  request.on_demand = true;
  region::fork(sections_call(function, data, count), request);
}
VICINO_API void GOMP_parallel_sections_start(Function function, void* data, unsigned threads,
                                             unsigned count) {
  VICINO_WATCHED();
  Call call = sections_call(function, data, count);
  Member& primary = region::begin_region(call, gomp::request_of(threads, 0));
  call.function = nullptr;  // the caller runs the primary's part
  call.run(primary, call);
}
