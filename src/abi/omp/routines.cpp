// routines.cpp: OpenMP's routines on threads, teams, levels and schedules, for C and for Fortran.
//
// A Fortran twin takes its arguments by reference: omp_x_ takes those of default kind, omp_x_8_
// those of kind 8.
#include <time.h>

#include <algorithm>
#include <climits>
#include <limits>

#include "abi/api.hpp"
#include "abi/omp/get.hpp"
#include "base/say.hpp"
#include "event/start.hpp"
#include "loop/registry.hpp"
#include "ompt/tool.hpp"
#include "region/roots.hpp"
#include "tasking/free_agents.hpp"
#include "team/procs.hpp"
#include "team/worker.hpp"

using namespace vicino;
using team::Icvs;
using team::Member;
using team::Team;

namespace {

// Negative and zero counts are errors of the program; the current value stays.
void set_num_threads(int n) {
  if (n < 1) return say("omp_set_num_threads(%d): not positive; ignored", n);
  region::writable_icvs_now().nthreads = n;
}
void set_dynamic(bool on) { region::writable_icvs_now().dynamic = on; }
void set_max_active_levels(int n) {
  if (n < 0) return say("omp_set_max_active_levels(%d): negative; ignored", n);
  region::writable_icvs_now().max_active_levels = n;
}
void set_nested(bool on) { set_max_active_levels(on ? INT_MAX : 1); }

// A thread that has not met a region yet gets the answers of an initial thread, without becoming
// one.
int thread_num() { return team::self == nullptr ? 0 : team::self->id; }
// Tools know this routine as the one that makes sure that they are started.
int num_threads() {
  if (team::self != nullptr) return team::self->team->size;
  return event::start() ? region::me().team->size : 1;
}
int level() { return team::self == nullptr ? 0 : team::self->team->level; }
int active_level() { return team::self == nullptr ? 0 : team::self->team->active_level; }

// The member of level `at` from which the calling thread descends; null if the thread has met no
// region.
const Member* ancestor(int at) {
  const Member* member = team::self;
  while (member != nullptr && member->team->level > at) member = member->team->parent;
  return member;
}
int ancestor_thread_num(int at) {
  if (at < 0 || at > level()) return -1;
  const Member* member = ancestor(at);
  return member == nullptr ? thread_num() : member->id;
}
int team_size(int at) {
  if (at < 0 || at > level()) return -1;
  const Member* member = ancestor(at);
  return member == nullptr ? num_threads() : member->team->size;
}

// Whether the thread is a free agent that runs the present task, or the task of level `at` around
// it.
bool is_free_agent() { return team::self != nullptr && tasking::is_free_agent(*team::self); }
bool ancestor_is_free_agent(int at) {
  if (at < 0 || at > level()) return false;
  const Member* member = ancestor(at);
  return member != nullptr && tasking::is_free_agent(*member);
}

// omp_sched_t
constexpr int kSchedStatic = 1, kSchedDynamic = 2, kSchedGuided = 3, kSchedAuto = 4;
// LLVM's extensions of omp_sched_t.
constexpr int kSchedTrapezoid = 101, kSchedStaticSteal = 102;
constexpr int kSchedNamed = 110;  // + the row of the registry
constexpr unsigned kSchedMonotonic = 0x80000000u;

// For these kinds an unset chunk means 1; for static it means "one block", and each of Vicino's own
// schedules has its own meaning.
bool needs_chunk(loop::ScheduleKind kind) {
  using loop::ScheduleKind;
  return kind == ScheduleKind::kDynamic || kind == ScheduleKind::kGuided ||
         kind == ScheduleKind::kTrapezoid;
}

// If the wanted schedule is in force, its parameters stay; any other schedule gets its own
// defaults.
const loop::Selection* named_by(size_t row) {
  const loop::Row& wanted = loop::registry()[row];
  const loop::Selection* now = region::icvs_now().run_schedule.named;
  return now != nullptr && now->row == &wanted ? now : loop::keep(loop::by_default(wanted));
}

void set_schedule(int raw, int64_t chunk) {
  using loop::Monotonicity;
  using loop::ScheduleKind;
  const auto bits = static_cast<unsigned>(raw);
  config::Schedule schedule;
  schedule.mono = bits & kSchedMonotonic ? Monotonicity::kMonotonic : Monotonicity::kUnspecified;
  schedule.chunk = std::max<int64_t>(chunk, 0);
  switch (static_cast<int>(bits & ~kSchedMonotonic)) {
    case kSchedStatic:
      schedule.kind = ScheduleKind::kStatic;
      break;
    case kSchedDynamic:
    case kSchedStaticSteal:
      schedule.kind = ScheduleKind::kDynamic;
      break;
    case kSchedGuided:
      schedule.kind = ScheduleKind::kGuided;
      break;
    case kSchedAuto:
      schedule = {ScheduleKind::kAuto, schedule.mono, 0};
      break;
    case kSchedTrapezoid:
      schedule.kind = ScheduleKind::kTrapezoid;
      break;
    default: {
      const auto row = static_cast<size_t>((bits & ~kSchedMonotonic) - kSchedNamed);
      if (row >= loop::registry().size())
        return say("omp_set_schedule(%d, …): no such schedule; ignored", raw);
      schedule.kind = ScheduleKind::kNamed;
      schedule.named = named_by(row);
    }
  }
  if (schedule.chunk == 0 && needs_chunk(schedule.kind)) schedule.chunk = 1;
  region::writable_icvs_now().run_schedule = schedule;
}

template <class Int>
void get_schedule(int* kind, Int* chunk) {
  using loop::ScheduleKind;
  const config::Schedule& s = region::icvs_now().run_schedule;
  int sched = kSchedAuto;
  switch (s.kind) {
    case ScheduleKind::kStatic:
      sched = kSchedStatic;
      break;
    case ScheduleKind::kDynamic:
      sched = kSchedDynamic;
      break;
    case ScheduleKind::kGuided:
      sched = kSchedGuided;
      break;
    case ScheduleKind::kAuto:
      sched = kSchedAuto;
      break;
    case ScheduleKind::kTrapezoid:
      sched = kSchedTrapezoid;
      break;
    case ScheduleKind::kNamed:
      sched = kSchedNamed + static_cast<int>(s.named->row - loop::registry().data());
      break;
  }
  const bool monotonic = s.mono == loop::Monotonicity::kMonotonic;
  *kind = static_cast<int>(static_cast<unsigned>(sched) | (monotonic ? kSchedMonotonic : 0));
  const long size =
      needs_chunk(s.kind) || s.kind == ScheduleKind::kAuto ? std::max(s.chunk, 1L) : s.chunk;
  // The routine's type may be too small for the environment's chunk.
  *chunk = static_cast<Int>(std::min<long>(size, std::numeric_limits<Int>::max()));
}

double seconds(clockid_t clock, int (*read)(clockid_t, timespec*)) {
  timespec t{};
  read(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int max_threads() { return region::icvs_now().nthreads; }
bool dynamic() { return region::icvs_now().dynamic || region::icvs_now().lends; }
int num_procs() { return team::usable_cpus(); }
int thread_limit() { return region::icvs_now().thread_limit; }
int max_active_levels() { return region::icvs_now().max_active_levels; }
bool nested() { return max_active_levels() > 1; }

}  // namespace

VICINO_GET(int, omp_get_thread_num, thread_num())
VICINO_GET(int, omp_get_num_threads, num_threads())
VICINO_GET(int, omp_get_max_threads, max_threads())
VICINO_GET(int, omp_get_num_procs, num_procs())
VICINO_GET(int, omp_get_thread_limit, thread_limit())
VICINO_GET(int, omp_get_level, level())
VICINO_GET(int, omp_get_active_level, active_level())
VICINO_GET(int, omp_get_max_active_levels, max_active_levels())
VICINO_GET(int, omp_get_supported_active_levels, INT_MAX)
VICINO_GET(int, omp_in_parallel, active_level() > 0)
VICINO_GET(int, omp_get_dynamic, dynamic())
VICINO_GET(int, omp_get_nested, nested())
VICINO_GET(int, omp_is_free_agent, is_free_agent())
VICINO_GET(int, omp_get_cancellation, region::icvs_now().cancellation())
VICINO_GET(double, omp_get_wtime, seconds(CLOCK_MONOTONIC, clock_gettime))
VICINO_GET(double, omp_get_wtick, seconds(CLOCK_MONOTONIC, clock_getres))

VICINO_SET_AND_OMPC(set_num_threads, int)
VICINO_SET_AND_OMPC(set_dynamic, bool)
VICINO_SET_AND_OMPC(set_nested, bool)
VICINO_SET_AND_OMPC(set_max_active_levels, int)
VICINO_INTEGER8(void, set_num_threads, set_num_threads)
VICINO_INTEGER8(void, set_max_active_levels, set_max_active_levels)
VICINO_API void kmpc_set_num_threads_8(int64_t n) { set_num_threads(abi::saturated(n)); }

#define VICINO_OF_LEVEL(name, value)                                                           \
  VICINO_API int omp_get_##name(int at) { return value(at); }                                  \
  VICINO_API int ompc_get_##name(int at) { return value(at); }                                 \
  VICINO_API int omp_get_##name##_(const int* at) { return value(*at); }                       \
  VICINO_API int omp_get_##name##_8_(const int64_t* at) { return value(abi::saturated(*at)); } \
  VICINO_INTEGER8(int, get_##name, value)
VICINO_OF_LEVEL(ancestor_thread_num, ancestor_thread_num)
VICINO_OF_LEVEL(team_size, team_size)

VICINO_API int omp_ancestor_is_free_agent(int at) { return ancestor_is_free_agent(at); }
VICINO_API int omp_ancestor_is_free_agent_(const int* at) { return ancestor_is_free_agent(*at); }
VICINO_API int omp_ancestor_is_free_agent_8_(const int64_t* at) {
  return ancestor_is_free_agent(abi::saturated(*at));
}

VICINO_API void omp_set_schedule(int kind, int chunk) { set_schedule(kind, chunk); }
VICINO_API void ompc_set_schedule(int kind, int chunk) { set_schedule(kind, chunk); }
VICINO_API void omp_set_schedule_(const int* kind, const int* chunk) {
  set_schedule(*kind, *chunk);
}
VICINO_API void omp_set_schedule_8_(const int* kind, const int64_t* chunk) {
  set_schedule(*kind, *chunk);
}
VICINO_API void omp_get_schedule(int* kind, int* chunk) { get_schedule(kind, chunk); }
VICINO_API void omp_get_schedule_(int* kind, int* chunk) { get_schedule(kind, chunk); }
VICINO_API void omp_get_schedule_8_(int* kind, int64_t* chunk) { get_schedule(kind, chunk); }
VICINO_API void kmp_set_schedule_8(int kind, int64_t chunk) {
  set_schedule(kind, abi::saturated(chunk));
}
VICINO_API void kmp_set_schedule_8_(const int* kind, const int64_t* chunk) {
  set_schedule(*kind, abi::saturated(*chunk));
}
VICINO_API void kmp_get_schedule_8(int* kind, int64_t* chunk) { get_schedule(kind, chunk); }
VICINO_API void kmp_get_schedule_8_(int* kind, int64_t* chunk) { get_schedule(kind, chunk); }
