// constructs.cpp: GCC's barrier, single, critical, atomic and sections.
#include "team/constructs.hpp"

#include "abi/api.hpp"
#include "abi/gomp/reductions.hpp"
#include "abi/gomp/region.hpp"
#include "base/line.hpp"
#include "team/loops.hpp"

using namespace vicino;
using gomp::Function;
using team::Call;
using team::Member;

namespace {

// Each in lines of its own: else every passage slows down whoever uses what lies beside it.
struct alignas(kLinePair) GlobalLock : sync::Lock {};
GlobalLock unnamed_critical, atomic_lock;

void enter(sync::Lock& lock) { lock.acquire(team::lock_patience(team::me())); }

// Sections are a loop of chunks of one, handed out in order and singly: programs rely on a thread's
// running the first section before any other of its own, and on a section that waits for a later
// one to find that taken by another thread. So few chunks leave stealing nothing to gain.
void begin_sections(Member& member, uint64_t count) {
  team::begin_loop(member, {.kind = loop::ScheduleKind::kDynamic,
                            .chunk = 1,
                            .monotonic = true,
                            .trip = count,
                            .singly = true});
}

// Sections are counted from 1; 0 is the end. A range may hold several: a team of one gets all.
unsigned next_section(Member& member) {
  team::LoopState& l = member.loop;
  if (l.at == l.chunk.end) {
    l.chunk = team::next_chunk(member);
    l.at = l.chunk.begin;
    if (l.chunk.empty()) return 0;
  }
  return static_cast<unsigned>(++l.at);
}

Call sections_call(Function function, void* data, unsigned count) {
  const auto run = [](Member& member, const Call& call) {
    begin_sections(member, call.count);
    if (call.function != nullptr) reinterpret_cast<Function>(call.function)(call.args[0]);
  };
  return {run, reinterpret_cast<void*>(function), count, {data}};
}

}  // namespace

VICINO_API void GOMP_barrier() { team::barrier(team::me()); }

VICINO_API bool GOMP_single_start() { return team::take_single(team::me()); }
// Null for the thread that is to run the single and then calls the one below; the others get its
// data.
VICINO_API void* GOMP_single_copy_start() {
  Member& member = team::me();
  return team::take_single(member) ? nullptr : team::get_copy(member);
}
VICINO_API void GOMP_single_copy_end(void* data) { team::give_copy(team::me(), data); }

VICINO_API void GOMP_critical_start() { enter(unnamed_critical); }
VICINO_API void GOMP_critical_end() { unnamed_critical.release(); }
// `name`: a pointer of static storage, null at first, that is ours to use: the lock lies in it.
VICINO_API void GOMP_critical_name_start(void** name) {
  enter(reinterpret_cast<sync::Lock&>(*name));
}
VICINO_API void GOMP_critical_name_end(void** name) {
  reinterpret_cast<sync::Lock&>(*name).release();
}
VICINO_API void GOMP_atomic_start() { enter(atomic_lock); }
VICINO_API void GOMP_atomic_end() { atomic_lock.release(); }

VICINO_API unsigned GOMP_sections_next() { return next_section(team::me()); }
VICINO_API unsigned GOMP_sections_start(unsigned count) {
  begin_sections(team::me(), count);
  return GOMP_sections_next();
}
VICINO_API unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  gomp::begin_worksharing(team::me(), reductions, memory);
  return GOMP_sections_start(count);
}
VICINO_API void GOMP_sections_end() { team::barrier(team::me()); }
VICINO_API void GOMP_sections_end_nowait() {}

VICINO_API void GOMP_parallel_sections(Function function, void* data, unsigned threads,
                                       unsigned count, unsigned flags) {
  team::fork(sections_call(function, data, count), gomp::request_of(threads, flags));
}
VICINO_API void GOMP_parallel_sections_start(Function function, void* data, unsigned threads,
                                             unsigned count) {
  Call call = sections_call(function, data, count);
  Member& primary = team::begin_region(call, gomp::request_of(threads, 0));
  call.function = nullptr;  // the caller runs the primary's part
  call.run(primary, call);
}
