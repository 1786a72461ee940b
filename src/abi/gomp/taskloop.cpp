// taskloop.cpp: GCC's taskloops. The tasks' data begin with their bounds, [start, end).
//
// Copies. A function of the program's may copy the data of a task, objects with their copy
// constructors among them. It reads the originals, and the task of the last iteration may write to
// them, since an object can be firstprivate and lastprivate: gcc does not tell. OpenMP wants the
// write to come after all copies. So where threads copy what their own tasks need, the last task is
// held back until all others have their copies: the thread that makes the last copy runs it. No
// thread waits for another.
//
// Invariants
//  H1 once    each task takes its iterations off `missing_` once: the last task when it comes up,
//             the others when they have their copies. The one that takes off the rest runs the last
//             task, after its own if it is another.
//  H2 after   so when the last task begins, all others have their copies.
//  H3 in time the thread that runs the last task is inside another task of the taskloop, or in one
//             that Vicino has made for it; the group's end waits for that.
//  H4 in order only the thread that meets the taskloop calls make(), and then it goes through all
//             tasks in their order, whether it makes them or runs them at once. So nothing else is
//             missing when it comes to the last one.
//  If the group is cancelled, tasks are left out, and the last one with them.
// Memory order
//  (1) taking iterations off is an acquire and a release: the copies, which read the originals, come
//      before what the last task writes to these. `last_` is published by it, too.
#include "tasking/taskloop.hpp"

#include <stdlib.h>
#include <string.h>

#include <limits>
#include <vector>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/reductions.hpp"
#include "abi/gomp/task.hpp"
#include "abi/watched.hpp"
#include "event/useful.hpp"
#include "event/work.hpp"
#include "loop/canonical.hpp"
#include "plat/plat.hpp"
#include "region/cancel.hpp"
#include "region/roots.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/cancelled.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using team::Member;
using Ull = unsigned long long;

namespace {

struct Clauses {
  Function function;
  void* data;
  gomp::Copy copy;
  long bytes, align;
  unsigned flags;
  unsigned long amount;
  int priority;

  bool has(gomp::TaskFlag flag) const { return (flags & flag) != 0; }
};

template <class T>
class Pattern : public tasking::TaskPattern {
 public:
  Pattern(const Clauses& clauses, const loop::Canonical<T>& space, T end)
      : clauses_(clauses), space_(space), end_(end), missing_(space.trip()) {}

  team::Task& make(Member& member, loop::Range iterations) override {
    team::Task& task = make_copy(member, iterations);
    if (holds_last_) take_off(iterations);  // H4
    return task;
  }
  // Runs a task on a copy of the construct's data, unless it is the last one and is held back.
  void run_one(Member& member, loop::Range iterations) override {
    const bool is_last = iterations.end == space_.trip();
    if (!holds_last_) return run_on_copy(member, iterations, [] {});
    if (is_last && !take_off(last_ = iterations)) return;
    bool runs_last = false;
    run_on_copy(member, iterations, [&] { runs_last = !is_last && take_off(iterations); });
    if (runs_last && !team::taskgroup_is_cancelled(member)) run_on_copy(member, last_, [] {});
  }
  // If alone, runs the tasks on the data themselves, one after the other: unless they are copied by
  // a function, since each task then destroys objects in its data.
  uint64_t run(Member& member, const task::Split& split, uint64_t first, uint64_t last,
               bool alone) override {
    if (!alone || clauses_.copy != nullptr || !is_bare(member) || !kept_.empty())
      return TaskPattern::run(member, split, first, last, alone);
    do run_on(clauses_.data, member, split.range(first));
    while (++first < last && tasking::goes_on(member, alone));
    return first;
  }

  // Several threads will copy, each for what it runs by run_one().
  void hold_last() { holds_last_ = true; }

  // The data belong to the caller: tasks that are made after its return need a copy.
  void keep_data() {
    const auto* bytes = static_cast<const char*>(clauses_.data);
    kept_.assign(bytes, bytes + clauses_.bytes);
    clauses_.data = kept_.data();
  }

 private:
  // When run at once, such tasks cannot be told from calls.
  bool is_bare(const Member& member) const {
    return !clauses_.has(gomp::kFinal) && !event::is_told_of_all(member.team->icvs);
  }
  team::Task& make_copy(Member& member, loop::Range iterations) const {
    const Clauses& c = clauses_;
    team::Task& task =
        gomp::make_task(member, c.function, c.data, c.copy, c.bytes, c.align, c.flags, c.priority);
    set_bounds(task.data, iterations);
    if (task.is(team::Task::kWatched)) [[unlikely]]
      abi::tell_taskloop_task(member, task, static_cast<uint64_t>(space_.value(iterations.begin)),
                              iterations.size());
    return task;
  }
  // The task's function destroys the objects in the copy.
  template <class Copied>
  void run_on_copy(Member& member, loop::Range iterations, Copied copied) {
    const Clauses& c = clauses_;
    if (!is_bare(member) || !gomp::fits_on_stack(c.bytes, c.align)) {
      team::Task& task = make_copy(member, iterations);
      copied();
      return tasking::run_at_once(member, task);
    }
    alignas(kLine) char data[gomp::kMostOnStack];
    if (c.copy != nullptr)
      c.copy(data, c.data);
    else
      memcpy(data, c.data, static_cast<size_t>(c.bytes));
    copied();
    run_on(data, member, iterations);
  }
  // True for the call that takes off the last iterations that are missing (H1).
  bool take_off(loop::Range iterations) noexcept {
    return missing_.fetch_sub(iterations.size(), std::memory_order_acq_rel) ==  // (1)
           iterations.size();
  }
  [[gnu::always_inline]] void run_on(void* data, Member& member, loop::Range iterations) const {
    set_bounds(data, iterations);
    tasking::run_bare(member, [&] { clauses_.function(data); });
  }
  void set_bounds(void* data, loop::Range iterations) const {
    auto* bounds = static_cast<T*>(data);
    bounds[0] = space_.value(iterations.begin);
    // The last task gets the loop's own end, since the first value beyond its iterations may not
    // fit the type.
    bounds[1] = iterations.end == space_.trip() ? end_ : space_.value(iterations.end);
  }

  Clauses clauses_;
  loop::Canonical<T> space_;
  T end_;
  std::vector<char> kept_;
  bool holds_last_ = false;
  loop::Range last_;  // set when the last task has come up
  // Apart from what all threads read. Not aligned: an aligned allocation takes longer than all the rest
  // of a taskloop on one thread.
  char apart_[kLine];
  plat::atomic<uint64_t> missing_;  // iterations (H1)
};

task::SplitRequest split_of(const Member& member, const Clauses& clauses) {
  if (clauses.amount == 0) return tasking::default_split(member.team->size);
  const auto grain =
      clauses.has(gomp::kGrainsize) ? task::Grain::kGrainsize : task::Grain::kNumTasks;
  return {grain, clauses.amount, clauses.has(gomp::kStrict)};
}

template <class T>
void generate(Member& member, const Clauses& clauses, const loop::Canonical<T>& space, T end) {
  auto pattern = std::make_unique<Pattern<T>>(clauses, space, end);
  const bool grouped = !clauses.has(gomp::kNogroup);
  // The originals live until this thread, which waits for the group, goes on; without a group they
  // may be gone when this returns. Tasks with a priority are made before they run. Where tasks are
  // few, one that begins last costs more time than it takes to make them all.
  constexpr uint64_t kFew = 4;  // for each thread
  const task::Split split(space.trip(), split_of(member, clauses));
  const bool copies_in_tasks = grouped && !clauses.has(gomp::kPriority) &&
                               split.tasks() >= kFew * static_cast<uint64_t>(member.team->size);
  const bool shareable = clauses.copy == nullptr || copies_in_tasks;
  if (clauses.copy != nullptr && shareable) pattern->hold_last();
  if (!grouped && shareable) pattern->keep_data();
  tasking::generate_tasks(member, std::move(pattern),
                          {.site = {reinterpret_cast<const void*>(clauses.function)},
                           .split = split,
                           .open = clauses.amount == 0,
                           .deferred = clauses.has(gomp::kIf),
                           .shareable = shareable,
                           .in_place = clauses.copy != nullptr && shareable,
                           .urgent = clauses.has(gomp::kPriority)});
}

// The reductions' address lies behind the bounds, in a taskloop with reductions and a group of its
// own.
template <class T>
uintptr_t* reductions_in(void* data) {
  struct Head {
    T start, end;
    uintptr_t* reductions;
  };
  return static_cast<Head*>(data)->reductions;
}

template <class T>
void taskloop(const Clauses& clauses, const loop::Canonical<T>& space, T end) {
  const bool grouped = !clauses.has(gomp::kNogroup);
  const bool reduces = grouped && clauses.has(gomp::kReduction);
  Member& member = region::me();
  tasking::refuse_taskloop(member);
  if (space.trip() == 0 || region::is_cancelled(member, region::Construct::kTaskgroup)) {
    if (reduces) gomp::mark_unused(reductions_in<T>(clauses.data));
    return;
  }
  if (grouped) tasking::begin_group(member);
  if (reduces) gomp::begin_group_reductions(member, reductions_in<T>(clauses.data));
  if (ompt::is_watched()) event::taskloop(ompt::Endpoint::kBegin, space.trip());
  generate(member, clauses, space, end);
  if (ompt::is_watched()) event::taskloop(ompt::Endpoint::kEnd, space.trip());
  if (grouped) tasking::end_group(member);
}

}  // namespace

VICINO_API void GOMP_taskloop(Function function, void* data, void (*copy)(void*, void*), long bytes,
                              long align, unsigned flags, unsigned long amount, int priority,
                              long start, long end, long step) {
  VICINO_WATCHED();
  taskloop<long>({function, data, copy, bytes, align, flags, amount, priority},
                 loop::Canonical<long>::exclusive(start, end, step), end);
}

// The direction is a flag; a step beyond 2^63 in its direction takes one iteration.
VICINO_API void GOMP_taskloop_ull(Function function, void* data, void (*copy)(void*, void*),
                                  long bytes, long align, unsigned flags, unsigned long amount,
                                  int priority, Ull start, Ull end, Ull step) {
  VICINO_WATCHED();
  using Limits = std::numeric_limits<long long>;
  auto signed_step = static_cast<long long>(step);
  const bool up = (flags & gomp::kUp) != 0;
  if (up && signed_step < 0) signed_step = Limits::max();
  if (!up && signed_step > 0) signed_step = Limits::min();
  taskloop<Ull>({function, data, copy, bytes, align, flags, amount, priority},
                loop::Canonical<Ull>::exclusive(start, end, signed_step), end);
}
