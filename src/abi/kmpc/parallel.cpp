// parallel.cpp: LLVM's parallel regions.
#include <alloca.h>
#include <stdarg.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/say.hpp"
#include "event/regions.hpp"
#include "region/fork.hpp"
#include "region/league.hpp"
#include "region/roots.hpp"
#include "team/pool.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;
using kmpc::Microtask;
using team::Call;
using team::Member;

extern "C" void vicino_kmpc_invoke(void* function, int32_t* gtid, int32_t* tid, uint64_t count,
                                   void* const* args);
// The same; before that, it stores its frame's address.
extern "C" void vicino_kmpc_invoke_watched(void* function, int32_t* gtid, int32_t* tid,
                                           uint64_t count, void* const* args, void** frame);

namespace {

// A pushed clause counts for this region, which gets one thread, and not for the next region. The
// rest of a list counts for the regions inside.
Member& begin_serialized() {
  Member& parent = region::me();
  parent.pushed.threads = 0;
  parent.pushed.has_bind = false;
  if (parent.pushed.num_threads != nullptr) parent.pushed.num_threads->strict = 0;
  return region::begin_serial(0);
}

void run_microtask(Member& member, const Call& call) {
  int32_t gtid = member.worker->gtid();
  int32_t tid = member.id;
  void* const* args = call.count <= Call::kInline ? call.args : static_cast<void**>(call.args[0]);
  vicino_kmpc_invoke(call.function, &gtid, &tid, call.count, args);
}

void run_watched_microtask(Member& member, const Call& call) {
  int32_t gtid = member.worker->gtid();
  int32_t tid = member.id;
  void* const* args = call.count <= Call::kInline ? call.args : static_cast<void**>(call.args[0]);
  vicino_kmpc_invoke_watched(call.function, &gtid, &tid, call.count, args,
                             &member.record.frame.exit.pointer);
}

// run(call), where the call has the microtask and its arguments. Those that do not fit into the call are on
// the stack until run() returns.
template <class Run>
[[gnu::always_inline]] inline void with_call(Microtask* microtask, int32_t count, va_list list,
                                             Run run) {
  Call call{run_microtask, reinterpret_cast<void*>(microtask), static_cast<uint64_t>(count), {}};
  void** to = call.args;
  if (count > Call::kInline) {
    to = static_cast<void**>(alloca(static_cast<size_t>(count) * sizeof(void*)));
    call.args[0] = to;
  }
  for (int32_t i = 0; i < count; ++i) to[i] = va_arg(list, void*);
  if (VICINO_WATCHED()) call.run = run_watched_microtask;
  run(call);
}

}  // namespace

VICINO_API void __kmpc_fork_call(Ident*, int32_t count, Microtask* microtask, ...) {
  va_list list;
  va_start(list, microtask);
  with_call(microtask, count, list, [](const Call& call) { region::fork(call, {}); });
  va_end(list);
}

// flang's form: one argument, which is a block of all arguments, or none.
VICINO_API void __kmpc_fork_call_if(Ident*, int32_t count, Microtask* microtask, int32_t condition,
                                    void* args) {
  const auto run = VICINO_WATCHED() ? run_watched_microtask : run_microtask;
  const Call call{
      run, reinterpret_cast<void*>(microtask), static_cast<uint64_t>(count > 0), {args}};
  if (condition) return region::fork(call, {});
  run(begin_serialized(), call);
  region::end_region();
}

VICINO_API void __kmpc_serialized_parallel(Ident*, int32_t) {
  VICINO_WATCHED();
  begin_serialized();
}
VICINO_API void __kmpc_end_serialized_parallel(Ident*, int32_t) { region::end_region(); }

// The present task's limit; a target region with the clause thread_limit is a task of its own.
VICINO_API void __kmpc_set_thread_limit(Ident*, int32_t, int32_t thread_limit) {
  if (thread_limit > 0) region::limit_threads(region::me(), thread_limit);
}

// How many teams a league has, and how many threads each; 0: the program does not say.
VICINO_API void __kmpc_push_num_teams_51(Ident*, int32_t, int32_t least, int32_t most,
                                         int32_t thread_limit) {
  if (least < 0 || most < 0 || least > most)
    die("a teams region has num_teams(%d:%d); both have to be positive, and the first may not be "
        "larger than the second",
        least, most);
  team::PushedClauses& pushed = region::me().pushed;
  pushed.least_teams = least;
  pushed.most_teams = most;
  pushed.thread_limit = std::max(thread_limit, 0);
}
VICINO_API void __kmpc_push_num_teams(Ident*, int32_t, int32_t teams, int32_t thread_limit) {
  team::PushedClauses& pushed = region::me().pushed;
  if (teams < 0) say("num_teams(%d): not positive; ignored", teams);
  pushed.least_teams = pushed.most_teams = std::max(teams, 0);
  pushed.thread_limit = std::max(thread_limit, 0);
}
VICINO_API void __kmpc_fork_teams(Ident*, int32_t count, Microtask* microtask, ...) {
  team::PushedClauses& pushed = region::me().pushed;
  const region::LeagueRequest request{pushed.least_teams, pushed.most_teams, pushed.thread_limit};
  pushed.least_teams = pushed.most_teams = pushed.thread_limit = 0;
  va_list list;
  va_start(list, microtask);
  with_call(microtask, count, list,
            [&request](const Call& call) { region::run_league(call, request); });
  va_end(list);
}

VICINO_API void __kmpc_push_num_threads(Ident*, int32_t, int32_t threads) {
  region::me().pushed.threads = threads;
}

VICINO_API void __kmpc_pop_num_threads(Ident*, int32_t) {}  // the region has taken the clause

VICINO_API void __kmpc_push_proc_bind(Ident*, int32_t, int32_t bind) {
  Member& member = region::me();
  member.pushed.has_bind = true;
  switch (bind) {  // omp_proc_bind_t, but clang has another number for `primary`
    case 2:
    case 5:
      member.pushed.bind = topo::Bind::kPrimary;
      break;
    case 3:
      member.pushed.bind = topo::Bind::kClose;
      break;
    case 4:
      member.pushed.bind = topo::Bind::kSpread;
      break;
    default:
      member.pushed.has_bind = false;
  }
}

VICINO_API int32_t __kmpc_global_thread_num(Ident*) { return region::me().worker->gtid(); }
VICINO_API int32_t __kmpc_bound_thread_num(Ident*) { return region::me().id; }
VICINO_API int32_t __kmpc_global_num_threads(Ident*) { return team::Pool::get().known_threads(); }
VICINO_API int32_t __kmpc_bound_num_threads(Ident*) { return region::me().team->size; }
VICINO_API int32_t __kmpc_in_parallel(Ident*) { return region::me().team->active_level > 0; }
VICINO_API int32_t __kmpc_ok_to_fork(Ident*) { return 1; }
VICINO_API void __kmpc_begin(Ident*, int32_t) {}
VICINO_API void __kmpc_end(Ident*) {}
