// taskloop.cpp: LLVM's taskloops.
//
// The compiled code hands over one task, with its data in place, as the pattern for all tasks; its
// bounds lie in it, where `lower` and `upper` point. The upper bound is inclusive, and the compiled
// code has checked that the loop has iterations.
#include "tasking/taskloop.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/task.hpp"
#include "abi/watched.hpp"
#include "event/work.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"

using namespace vicino;
using kmpc::Ident;
using kmpc::KmpTask;
using team::Member;

namespace {

using Duplicate = void (*)(KmpTask* to, KmpTask* from, int32_t last);

class Pattern : public tasking::TaskPattern {
 public:
  Pattern(KmpTask* task, uint64_t* lower, uint64_t* upper, int64_t step, uint64_t trip,
          Duplicate duplicate)
      : task_(task),
        first_(*lower),
        step_(static_cast<uint64_t>(step)),
        trip_(trip),
        lower_at_(offset_of(lower)),
        upper_at_(offset_of(upper)),
        duplicate_(duplicate) {}
  ~Pattern() override { kmpc::destroy(region::me(), task_); }

  team::Task& make(Member& member, loop::Range iterations) override {
    KmpTask* task = kmpc::copy_of(member, task_);
    *at(task, lower_at_) = first_ + iterations.begin * step_;
    *at(task, upper_at_) = first_ + (iterations.end - 1) * step_;
    // This call also tells the task whether it has the last iteration.
    if (duplicate_ != nullptr) duplicate_(task, task_, iterations.end == trip_);
    team::Task& record = kmpc::record_of(task);
    if (record.is(team::Task::kWatched)) [[unlikely]] {
      kmpc::tell_memory(task);
      abi::tell_taskloop_task(member, record, first_ + iterations.begin * step_, iterations.size());
    }
    return record;
  }

 private:
  ptrdiff_t offset_of(uint64_t* bound) const {
    return reinterpret_cast<char*>(bound) - reinterpret_cast<char*>(task_);
  }
  static uint64_t* at(KmpTask* task, ptrdiff_t offset) {
    return reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(task) + offset);
  }

  KmpTask* task_;
  uint64_t first_, step_, trip_;
  ptrdiff_t lower_at_, upper_at_;
  Duplicate duplicate_;
};

// Free agents run a part of the tasks if they may.
int threads_for(const Member& member, bool for_agents) noexcept {
  const int others = for_agents ? tasking::agents_beside(*member.team) : 0;
  return member.team->size + others;
}

task::SplitRequest split_of(int threads, int32_t kind, uint64_t amount, bool strict) {
  switch (kind) {
    case 1:
      return {task::Grain::kGrainsize, amount, strict};
    case 2:
      return {task::Grain::kNumTasks, amount, strict};
    default:
      return tasking::default_split(threads);
  }
}

void taskloop(const Ident* from, KmpTask* task, int32_t condition, uint64_t* lower, uint64_t* upper,
              int64_t step, int32_t nogroup, int32_t kind, uint64_t amount, bool strict,
              void* duplicate) {
  Member& member = region::me();
  tasking::refuse_taskloop(member);
  const uint64_t trip = task::trip_to(*lower, *upper, step);
  const int priority = kmpc::record_of(task).priority;
  const bool for_agents = priority == team::Task::kForAgents;
  const task::Split split(trip, split_of(threads_for(member, for_agents), kind, amount, strict));
  // The tasks of a transparent one import; they have no dependences of their own, so the thread waits once for all.
  if (tasking::is_importing(kmpc::record_of(task))) tasking::wait_for_imports(member);
  if (!nogroup) tasking::begin_group(member);
  // The compiled code's function copies objects from the program's variables, which may be gone when this
  // returns. clang opens a taskloop's group by a call of its own and always says nogroup, so nothing tells
  // whether the program has said it.
  const bool shareable = duplicate == nullptr || !nogroup;
  if (ompt::is_watched()) event::taskloop(ompt::Endpoint::kBegin, trip);
  tasking::generate_tasks(member,
                          std::make_unique<Pattern>(task, lower, upper, step, trip,
                                                    reinterpret_cast<Duplicate>(duplicate)),
                          {.site = {kmpc::code_of(task), from != nullptr ? from->source : nullptr},
                           .split = split,
                           .open = kind != 1 && kind != 2,
                           .deferred = condition != 0,
                           .shareable = shareable,
                           .urgent = priority > 0,
                           .for_agents = for_agents});
  if (ompt::is_watched()) event::taskloop(ompt::Endpoint::kEnd, trip);
  if (!nogroup) tasking::end_group(member);
}

}  // namespace

// kind: 0 without a clause, 1 grainsize, 2 num_tasks.
VICINO_API void __kmpc_taskloop(Ident* from, int32_t, KmpTask* task, int32_t condition,
                                uint64_t* lower, uint64_t* upper, int64_t step, int32_t nogroup,
                                int32_t kind, uint64_t amount, void* duplicate) {
  VICINO_WATCHED();
  taskloop(from, task, condition, lower, upper, step, nogroup, kind, amount, false, duplicate);
}
VICINO_API void __kmpc_taskloop_5(Ident* from, int32_t, KmpTask* task, int32_t condition,
                                  uint64_t* lower, uint64_t* upper, int64_t step, int32_t nogroup,
                                  int32_t kind, uint64_t amount, int32_t modifier,
                                  void* duplicate) {
  VICINO_WATCHED();
  taskloop(from, task, condition, lower, upper, step, nogroup, kind, amount, modifier != 0,
           duplicate);
}
