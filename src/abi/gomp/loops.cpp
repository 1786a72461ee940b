// loops.cpp: GCC's loops in which a thread asks for each chunk, in `long` and in `unsigned long
// long`.
//
// Bounds come and go as [start, end), exclusive. A combined parallel loop starts its loop in each
// thread before the function runs; that function begins with a call of ..._next.
#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/loop.hpp"
#include "abi/gomp/reductions.hpp"
#include "abi/gomp/region.hpp"
#include "abi/watched.hpp"
#include "base/say.hpp"
#include "event/sync.hpp"
#include "loop/canonical.hpp"
#include "region/constructs.hpp"
#include "region/doacross.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using namespace vicino::gomp;
using team::Call;
using team::Member;

namespace {

template <class T>
using Space = loop::Canonical<T>;

template <class T>
[[gnu::always_inline]] inline bool next(T* start, T* end) {
  Member& member = region::me();
  const loop::Range chunk = region::next_chunk(member);
  if (chunk.empty()) return false;
  *start = static_cast<T>(member.loop.bounds.value(chunk.begin));
  *end = static_cast<T>(member.loop.bounds.value(chunk.end));
  return true;
}

// `order`: by the entry point's name.
region::Asked asked_at_run_time(const Member& member, Order order) {
  region::Asked asked = region::asked_at_run_time(member);
  const bool any = member.icvs->run_schedule.mono == loop::Monotonicity::kNonmonotonic;
  if (order != Order::kAscending || !any) asked.order = std::max(asked.order, order);
  return asked;
}

// `site` is the loop's return address, or the function of a region that is one loop.
template <class T>
[[gnu::always_inline]] inline void begin(Member& member, const Named& named, const Space<T>& space,
                                         uint64_t chunk, const void* site) {
  region::begin_loop(member, space.bounds(),
                     {.asked = named.runtime ? asked_at_run_time(member, named.order)
                                             : region::Asked{named.kind, {}, named.order, chunk},
                      .form = named.form,
                      .site = {site, nullptr}});
}

// The sign of a chunk is never used: gcc passes the clause's value, and a value below one is
// undefined.
uint64_t chunk_of(long chunk) { return chunk > 0 ? static_cast<uint64_t>(chunk) : 0; }

}  // namespace

bool gomp::start_long(const void* site, const Named& named, long start, long end, long step,
                      long chunk, long* first, long* last) {
  Member& member = region::me();
  begin(member, named, Space<long>::exclusive(start, end, step), chunk_of(chunk), site);
  return next(first, last);
}

bool gomp::start_ull(const void* site, const Named& named, bool up, Ull start, Ull end, Ull step,
                     Ull chunk, Ull* first, Ull* last) {
  Member& member = region::me();
  // A step beyond 2^63 in its direction takes one iteration, like any step that passes the end.
  auto signed_step = static_cast<long long>(step);
  if (up && signed_step < 0) signed_step = INT64_MAX;
  if (!up && signed_step > 0) signed_step = INT64_MIN;
  begin(member, named, Space<Ull>::exclusive(start, end, signed_step), chunk, site);
  return next(first, last);
}

namespace {

// A call that starts the loop `named` in its thread, then runs the function. The call holds all
// data that it needs, because the ..._start forms return before the threads have read it.
template <const Named& named>
void begin_call(Member& member, const Call& call) {
  const auto word = [&](int i) { return reinterpret_cast<long>(call.args[i]); };
  begin(member, named, Space<long>::exclusive(word(1), word(2), word(3)), call.count,
        call.function);
}
template <const Named& named>
Call loop_call(Function function, void* data, long start, long end, long step, long chunk) {
  const auto run = [](Member& member, const Call& call) {
    begin_call<named>(member, call);
    reinterpret_cast<Function>(call.function)(call.args[0]);
  };
  const auto pointer = [](long value) { return reinterpret_cast<void*>(value); };
  return {run,
          reinterpret_cast<void*>(function),
          chunk_of(chunk),
          {data, pointer(start), pointer(end), pointer(step)}};
}

template <const Named& named>
void parallel_loop(Function function, void* data, unsigned threads, long start, long end, long step,
                   long chunk, unsigned flags) {
  region::Request request = gomp::request_of(threads, flags);
  request.on_demand = named.kind != ScheduleKind::kStatic;
  region::fork(loop_call<named>(function, data, start, end, step, chunk), request);
}

template <const Named& named>
void parallel_loop_start(Function function, void* data, unsigned threads, long start, long end,
                         long step, long chunk) {
  const Call call = loop_call<named>(function, data, start, end, step, chunk);
  // The caller runs the primary's part.
  begin_call<named>(region::begin_region(call, gomp::request_of(threads, 0)), call);
}

}  // namespace

// The entry points of a schedule in `name`: with a chunk, or without (runtime).
#define VICINO_NEXT(name)                                                                        \
  VICINO_API bool GOMP_loop_##name##_next(long* first, long* last) { return next(first, last); } \
  VICINO_API bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) { return next(first, last); }

#define VICINO_LOOP(name, named)                                                                 \
  VICINO_API bool GOMP_loop_##name##_start(long start, long end, long step, long chunk,          \
                                           long* first, long* last) {                            \
    return start_long(__builtin_return_address(0), named, start, end, step, chunk, first, last); \
  }                                                                                              \
  VICINO_API bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull chunk, \
                                               Ull* first, Ull* last) {                          \
    return start_ull(__builtin_return_address(0), named, up, start, end, step, chunk, first,     \
                     last);                                                                      \
  }                                                                                              \
  VICINO_NEXT(name)

#define VICINO_RUNTIME_LOOP(name, named)                                                          \
  VICINO_API bool GOMP_loop_##name##_start(long start, long end, long step, long* first,          \
                                           long* last) {                                          \
    return start_long(__builtin_return_address(0), named, start, end, step, 0, first, last);      \
  }                                                                                               \
  VICINO_API bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull* first, \
                                               Ull* last) {                                       \
    return start_ull(__builtin_return_address(0), named, up, start, end, step, 0, first, last);   \
  }                                                                                               \
  VICINO_NEXT(name)

VICINO_LOOP(static, kStatic)
VICINO_LOOP(dynamic, kDynamic)
VICINO_LOOP(guided, kGuided)
VICINO_LOOP(nonmonotonic_dynamic, kNonmonotonicDynamic)
VICINO_LOOP(nonmonotonic_guided, kNonmonotonicGuided)
VICINO_LOOP(ordered_static, ordered(kStatic))
VICINO_LOOP(ordered_dynamic, ordered(kDynamic))
VICINO_LOOP(ordered_guided, ordered(kGuided))
VICINO_RUNTIME_LOOP(runtime, kRuntime)
VICINO_RUNTIME_LOOP(nonmonotonic_runtime, kNonmonotonicRuntime)
VICINO_RUNTIME_LOOP(maybe_nonmonotonic_runtime, kNonmonotonicRuntime)
VICINO_RUNTIME_LOOP(ordered_runtime, ordered(kRuntime))

#define VICINO_PARALLEL_LOOP(name, named)                                                    \
  VICINO_API void GOMP_parallel_loop_##name(Function function, void* data, unsigned threads, \
                                            long start, long end, long step, long chunk,     \
                                            unsigned flags) {                                \
    VICINO_WATCHED();                                                                        \
    parallel_loop<named>(function, data, threads, start, end, step, chunk, flags);           \
  }
#define VICINO_PARALLEL_RUNTIME_LOOP(name, named)                                              \
  VICINO_API void GOMP_parallel_loop_##name(Function function, void* data, unsigned threads,   \
                                            long start, long end, long step, unsigned flags) { \
    VICINO_WATCHED();                                                                          \
    parallel_loop<named>(function, data, threads, start, end, step, 0, flags);                 \
  }
VICINO_PARALLEL_LOOP(static, kStatic)
VICINO_PARALLEL_LOOP(dynamic, kDynamic)
VICINO_PARALLEL_LOOP(guided, kGuided)
VICINO_PARALLEL_LOOP(nonmonotonic_dynamic, kNonmonotonicDynamic)
VICINO_PARALLEL_LOOP(nonmonotonic_guided, kNonmonotonicGuided)
VICINO_PARALLEL_RUNTIME_LOOP(runtime, kRuntime)
VICINO_PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime, kNonmonotonicRuntime)
VICINO_PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime, kNonmonotonicRuntime)

#define VICINO_PARALLEL_LOOP_START(name, named)                                             \
  VICINO_API void GOMP_parallel_loop_##name##_start(Function function, void* data,          \
                                                    unsigned threads, long start, long end, \
                                                    long step, long chunk) {                \
    VICINO_WATCHED();                                                                       \
    parallel_loop_start<named>(function, data, threads, start, end, step, chunk);           \
  }
VICINO_PARALLEL_LOOP_START(static, kStatic)
VICINO_PARALLEL_LOOP_START(dynamic, kDynamic)
VICINO_PARALLEL_LOOP_START(guided, kGuided)
VICINO_API void GOMP_parallel_loop_runtime_start(Function function, void* data, unsigned threads,
                                                 long start, long end, long step) {
  VICINO_WATCHED();
  parallel_loop_start<kRuntime>(function, data, threads, start, end, step, 0);
}

Named gomp::named_by(long schedule) {
  constexpr long kMonotonic = 0x80000000;
  Named named;
  if ((schedule & kMonotonic) == 0) named.order = Order::kAscending;
  switch (schedule & ~kMonotonic) {
    case 0:
      named.runtime = true;
      break;
    case 1:
      named.order = Order::kMonotonic;
      break;
    case 2:
      named.kind = ScheduleKind::kDynamic;
      break;
    case 3:
      named.kind = ScheduleKind::kGuided;
      break;
    case 4:
      named.kind = ScheduleKind::kAuto;
      break;
    default:
      die("a loop has schedule %ld; the schedules are 0 (runtime), 1 (static), 2 (dynamic), "
          "3 (guided) and 4 (auto), and 2147483648 more for monotonic",
          schedule);
  }
  return named;
}

namespace {

// For loops with task reductions, or with memory that the members share. If `first` is null, the
// compiled code hands out the iterations itself.
bool start_with(const void* site, const Named& named, long start, long end, long step, long chunk,
                long* first, long* last, uintptr_t* reductions, void** memory) {
  gomp::begin_worksharing(region::me(), reductions, memory);
  return first == nullptr || start_long(site, named, start, end, step, chunk, first, last);
}
bool start_ull_with(const void* site, const Named& named, bool up, Ull start, Ull end, Ull step,
                    Ull chunk, Ull* first, Ull* last, uintptr_t* reductions, void** memory) {
  gomp::begin_worksharing(region::me(), reductions, memory);
  return first == nullptr || start_ull(site, named, up, start, end, step, chunk, first, last);
}

}  // namespace

VICINO_API bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk,
                                long* first, long* last, uintptr_t* reductions, void** memory) {
  return start_with(__builtin_return_address(0), named_by(schedule), start, end, step, chunk, first,
                    last, reductions, memory);
}
VICINO_API bool GOMP_loop_ordered_start(long start, long end, long step, long schedule, long chunk,
                                        long* first, long* last, uintptr_t* reductions,
                                        void** memory) {
  return start_with(__builtin_return_address(0), ordered(named_by(schedule)), start, end, step,
                    chunk, first, last, reductions, memory);
}
VICINO_API bool GOMP_loop_ull_start(bool up, Ull start, Ull end, Ull step, long schedule, Ull chunk,
                                    Ull* first, Ull* last, uintptr_t* reductions, void** memory) {
  return start_ull_with(__builtin_return_address(0), named_by(schedule), up, start, end, step,
                        chunk, first, last, reductions, memory);
}
VICINO_API bool GOMP_loop_ull_ordered_start(bool up, Ull start, Ull end, Ull step, long schedule,
                                            Ull chunk, Ull* first, Ull* last, uintptr_t* reductions,
                                            void** memory) {
  return start_ull_with(__builtin_return_address(0), ordered(named_by(schedule)), up, start, end,
                        step, chunk, first, last, reductions, memory);
}

namespace {

void end_loop() {
  Member& member = region::me();
  region::end_doacross(member);
  region::barrier(member);
}

}  // namespace

VICINO_API void GOMP_loop_end() {
  VICINO_EITHER((event::next_barrier_is(ompt::Sync::kWorkshareBarrier), end_loop()), end_loop());
}
VICINO_API void GOMP_loop_end_nowait() { region::end_doacross(region::me()); }
VICINO_API void GOMP_ordered_start() {
  VICINO_EITHER(abi::watched_enter_ordered(region::me()), region::enter_ordered(region::me()));
}
VICINO_API void GOMP_ordered_end() {
  VICINO_EITHER(abi::watched_leave_ordered(region::me()), region::leave_ordered(region::me()));
}
