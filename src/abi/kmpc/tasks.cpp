// tasks.cpp: LLVM's explicit tasks.
#include "team/tasks.hpp"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/dependences.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "team/dependences.hpp"

using namespace vicino;
using kmpc::Ident;
using team::Member;

namespace {

// The head of a task as compilers lay it out (kmp_task_t); what they append lies behind it, then
// the shareds.
struct KmpTask {
  void* shareds;
  int32_t (*routine)(int32_t gtid, KmpTask* task);
  int32_t part_id;
  int32_t (*destructors)(int32_t gtid, KmpTask* task);  // if flags has kDestructors
  int32_t priority;                                     // if flags has kPriority
};
static_assert(sizeof(KmpTask) == 40);

constexpr int32_t kTied = 0x1;
constexpr int32_t kFinal = 0x2;
constexpr int32_t kDestructors = 0x8;
constexpr int32_t kPriority = 0x20;

// What lies before a KmpTask, for ourselves: behind the record, or before a block of its own if
// that is large.
struct alignas(16) Header {
  team::Task* record;
  uint32_t bytes;  // of the KmpTask with all that follows, and this
  bool has_destructors;
  bool apart;            // not in the record's memory
  bool running = false;  // or has been
  bool again = false;    // an untied task gave back its continuation

  KmpTask* task() noexcept { return reinterpret_cast<KmpTask*>(this + 1); }
  static Header& of(KmpTask* task) noexcept { return reinterpret_cast<Header*>(task)[-1]; }
  static Header& of(const team::Task& record) noexcept {
    return *static_cast<Header*>(record.data);
  }
};
static_assert(sizeof(Header) == 16);

void end(Header& header, int32_t gtid) {
  if (header.has_destructors) header.task()->destructors(gtid, header.task());
  if (header.apart) free(&header);
}

// A part of the task; the last part is the one that does not pass the task to __kmpc_omp_task
// again.
bool run_part(Member& member, team::Task& record) {
  Header& header = Header::of(record);
  const int32_t gtid = member.worker->gtid();
  header.running = true;
  header.again = false;
  header.task()->routine(gtid, header.task());
  if (header.again) return false;
  end(header, gtid);
  return true;
}

// A dependence as compilers lay it out (kmp_depend_info); an omp_depend_t points to such, too.
struct KmpDependence {
  const void* address;
  size_t bytes;  // OpenMP lets no two overlap that do not begin together
  uint8_t kind;
};
static_assert(sizeof(KmpDependence) == 24);

task::Access access_of(const KmpDependence& dependence) {
  using task::Access;
  const bool everywhere = reinterpret_cast<intptr_t>(dependence.address) == -1;
  switch (dependence.kind) {
    case 0x01:
      return Access::kIn;
    case 0x02:
    case 0x03:
      return everywhere ? Access::kMemory : Access::kOut;
    case 0x04:
      return Access::kMutex;
    case 0x08:
      return Access::kSet;
    case 0x80:
      return Access::kMemory;
    default:
      die("a task has a dependence of type %#x: known are 1 (in), 2 (out), 3 (inout), "
          "4 (mutexinoutset), 8 (inoutset), 0x80 (omp_all_memory)",
          dependence.kind);
  }
}

// Both lists of a call.
abi::Dependences dependences_of(int32_t count, const KmpDependence* list, int32_t more_count,
                                const KmpDependence* more) {
  abi::Dependences all(static_cast<size_t>(count + more_count));
  for (const auto& d : std::span(list, static_cast<size_t>(count)))
    all.add(d.address, access_of(d));
  for (const auto& d : std::span(more, static_cast<size_t>(more_count)))
    all.add(d.address, access_of(d));
  return all;
}

// The priority lies in the task from between its allocation and now.
void take_priority(Header& header) {
  if (header.record->priority == 0) return;
  header.record->priority =
      std::clamp(header.task()->priority, 0, config::settings().max_task_priority);
}

void generate(Member& member, Header& header, std::span<const task::Dependence> dependences) {
  take_priority(header);
  team::generate(member, *header.record, dependences, true);
}

}  // namespace

VICINO_API KmpTask* __kmpc_omp_task_alloc(Ident*, int32_t, int32_t flags, size_t task_size,
                                          size_t shareds_size,
                                          int32_t (*routine)(int32_t, KmpTask*)) {
  constexpr size_t kAlign = alignof(Header);
  const size_t shareds_at = (task_size + kAlign - 1) / kAlign * kAlign;
  const size_t bytes = sizeof(Header) + shareds_at + shareds_size;
  const auto record_flags = static_cast<uint8_t>((flags & kFinal ? team::Task::kFinal : 0) |
                                                 (flags & kTied ? 0 : team::Task::kUntied));
  Member& member = team::me();
  team::Task* record = team::new_task(member, bytes, record_flags);
  const bool apart = record == nullptr;
  void* memory = record + 1;
  if (apart) {
    record = team::new_task(member, 0, record_flags);
    memory = aligned_alloc(kAlign, (bytes + kAlign - 1) / kAlign * kAlign);
    if (memory == nullptr) abort();
  }
  auto* header = new (memory) Header{.record = record,
                                     .bytes = static_cast<uint32_t>(bytes),
                                     .has_destructors = (flags & kDestructors) != 0,
                                     .apart = apart};
  record->body = run_part;
  record->data = header;
  record->priority = (flags & kPriority) != 0;
  KmpTask* task = header->task();
  *task = {};
  task->shareds = shareds_size > 0 ? reinterpret_cast<char*>(task) + shareds_at : nullptr;
  task->routine = routine;
  return task;
}

// A running task passes itself: the end of one of its parts.
VICINO_API int32_t __kmpc_omp_task(Ident*, int32_t, KmpTask* task) {
  Header& header = Header::of(task);
  if (header.running) {
    header.again = true;
    return 0;
  }
  Member& member = team::me();
  team::Task& record = *header.record;
  if (record.node != nullptr) [[unlikely]] {
    generate(member, header, {});
  } else if (team::runs_at_once(member)) {
    team::run_at_once(member, record);
  } else {
    take_priority(header);
    team::spawn(member, record);
  }
  return 0;
}
VICINO_API int32_t __kmpc_omp_task_with_deps(Ident*, int32_t, KmpTask* task, int32_t count,
                                             const KmpDependence* list, int32_t more_count,
                                             const KmpDependence* more) {
  Header& header = Header::of(task);
  if (header.running) {
    header.again = true;
    return 0;
  }
  Member& member = team::me();
  team::Task& record = *header.record;
  if (team::runs_at_once(member) && team::has_no_order(member) && record.node == nullptr)
    team::run_at_once(member, record);
  else
    generate(member, header, dependences_of(count, list, more_count, more).span());
  return 0;
}
VICINO_API void* __kmpc_task_allow_completion_event(Ident*, int32_t, KmpTask* task) {
  return team::make_event(team::me(), *Header::of(task).record);
}
VICINO_API int32_t __kmpc_omp_reg_task_with_affinity(Ident*, int32_t, KmpTask*, int32_t, void*) {
  return 0;
}

// if(0): the compiled code runs the routine itself between these two, the first part of it if the
// task is untied.
VICINO_API void __kmpc_omp_task_begin_if0(Ident*, int32_t, KmpTask* task) {
  Header& header = Header::of(task);
  header.running = true;
  auto* outer = new team::Suspended;
  header.record->function = outer;
  team::begin_at_once(team::me(), *header.record, *outer);
}
VICINO_API void __kmpc_omp_task_complete_if0(Ident*, int32_t gtid, KmpTask* task) {
  Header& header = Header::of(task);
  while (header.again) {
    header.again = false;
    task->routine(gtid, task);
  }
  team::Task& record = *header.record;
  const auto* outer = static_cast<team::Suspended*>(record.function);
  end(header, gtid);
  team::end_at_once(team::me(), record, *outer);
  delete outer;
}

VICINO_API void __kmpc_omp_wait_deps(Ident*, int32_t, int32_t count, const KmpDependence* list,
                                     int32_t more_count, const KmpDependence* more) {
  team::wait_for_dependences(team::me(), dependences_of(count, list, more_count, more).span());
}
VICINO_API void __kmpc_omp_taskwait_deps_51(Ident*, int32_t, int32_t count,
                                            const KmpDependence* list, int32_t more_count,
                                            const KmpDependence* more, int32_t nowait) {
  abi::Dependences all = dependences_of(count, list, more_count, more);
  if (nowait)
    team::order_by_dependences(team::me(), all.span());
  else
    team::wait_for_dependences(team::me(), all.span());
}
VICINO_API int32_t __kmpc_omp_taskwait(Ident*, int32_t) {
  team::wait_for_children(team::me());
  return 0;
}
VICINO_API int32_t __kmpc_omp_taskyield(Ident*, int32_t, int) {
  team::yield_to_task(team::me());
  return 0;
}
VICINO_API void __kmpc_taskgroup(Ident*, int32_t) { team::begin_group(team::me()); }
VICINO_API void __kmpc_end_taskgroup(Ident*, int32_t) { team::end_group(team::me()); }

// The whole loop as one task: its bounds are in it already. `lower` points to the task's own lower
// bound; upper bound, stride and the flag of the last iteration follow.
VICINO_API void __kmpc_taskloop(Ident*, int32_t, KmpTask* task, int32_t, uint64_t* lower, uint64_t*,
                                int64_t, int32_t, int32_t, uint64_t, void*) {
  *reinterpret_cast<int32_t*>(lower + 3) = 1;
  Member& member = team::me();
  team::run_at_once(member, *Header::of(task).record);
}
VICINO_API void __kmpc_taskloop_5(Ident* where, int32_t gtid, KmpTask* task, int32_t condition,
                                  uint64_t* lower, uint64_t* upper, int64_t stride, int32_t nogroup,
                                  int32_t kind, uint64_t grain, int32_t, void* duplicate) {
  __kmpc_taskloop(where, gtid, task, condition, lower, upper, stride, nogroup, kind, grain,
                  duplicate);
}

// Task reductions: a task runs on the thread whose copy its clause names, so that copy serves.
VICINO_API void* __kmpc_taskred_init(int32_t, int32_t, void* items) { return items; }
VICINO_API void* __kmpc_task_reduction_init(int32_t, int32_t, void* items) { return items; }
VICINO_API void* __kmpc_taskred_modifier_init(Ident*, int32_t, int32_t, int32_t, void* items) {
  return items;
}
VICINO_API void* __kmpc_task_reduction_modifier_init(Ident*, int32_t, int32_t, int32_t,
                                                     void* items) {
  return items;
}
VICINO_API void __kmpc_task_reduction_modifier_fini(Ident*, int32_t, int32_t) {}
VICINO_API void* __kmpc_task_reduction_get_th_data(int32_t, void*, void* item) { return item; }
