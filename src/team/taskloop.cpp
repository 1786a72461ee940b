// taskloop.cpp: a taskloop's tasks are generated.
//
// Why    One thread that makes thousands of tasks is a bottleneck: it takes as long to make a task
//        as to run a small one. So a long row of tasks is halved: a task of our own, a generator,
//        makes one half, and whoever steals it halves it again. The oldest task of a deque is its
//        largest generator, so a thief takes half of what is left.
// Not    seen by the program: the tasks that a generator makes are children of the task that met
//        the taskloop and belong to its group, as if that had made them. Both families stay open
//        meanwhile, for the generator is counted in them.
#include "team/taskloop.hpp"

#include "team/cancel.hpp"

namespace vicino::team {
namespace {

// A row this short is made by one thread; with longer rows, thieves have longer to wait for.
constexpr uint64_t kShort = 32;

struct Generation {
  std::unique_ptr<TaskPattern> pattern;
  task::Split split;
  plat::atomic<uint32_t> makers{1};
};

struct Generator {
  Generation& generation;
  uint64_t first, last;
};

void leave(Generation& generation) {
  // Release and acquire: each maker's use of the pattern comes before its end.
  if (generation.makers.fetch_sub(1, std::memory_order_acq_rel) == 1) delete &generation;
}

bool run_generator(Member& member, Task& task);

void spawn_generator(Member& member, Generation& generation, Task& parent, uint64_t first,
                     uint64_t last) {
  generation.makers.fetch_add(1, std::memory_order_relaxed);
  Task& task = *new_task(member, sizeof(Generator), 0);
  task.set_place_in_tree(&parent, parent.depth() + 1, false);
  task.body = run_generator;
  task.data = new (&task + 1) Generator{generation, first, last};
  spawn(member, task);
}

// No tasks are made for a group that is cancelled.
bool is_wanted(Member& member) noexcept { return !is_cancelled(member, Construct::kTaskgroup); }

// `parent`: of the tasks; the present task, or the one whose generator that is.
void make_row(Member& member, Generation& generation, Task& parent, uint64_t first, uint64_t last) {
  while (last - first > kShort) {
    const uint64_t middle = first + (last - first) / 2;
    spawn_generator(member, generation, parent, middle, last);
    last = middle;
  }
  for (uint64_t i = first; i < last && is_wanted(member); ++i) {
    Task& task = generation.pattern->make(member, generation.split.range(i));
    task.set_place_in_tree(&parent, parent.depth() + 1, task.is(Task::kUntied));
    spawn(member, task);
  }
}

bool run_generator(Member& member, Task& task) {
  const auto& [generation, first, last] = *static_cast<Generator*>(task.data);
  if (!task.is(Task::kDiscarded)) make_row(member, generation, *task.parent(), first, last);
  leave(generation);
  return true;
}

void make_one_by_one(Member& member, TaskPattern& pattern, const TaskloopRequest& request) {
  for (uint64_t i = 0; i < request.split.tasks() && is_wanted(member); ++i) {
    Task& task = pattern.make(member, request.split.range(i));
    if (!request.deferred || runs_at_once(member))
      run_at_once(member, task);
    else
      spawn(member, task);
  }
}

}  // namespace

task::SplitRequest default_split(const Member& member) noexcept {
  constexpr uint64_t kPerThread = 10;
  const auto size = static_cast<uint64_t>(member.team->size);
  return {task::Grain::kNone, size == 1 ? 1 : kPerThread * size, false};
}

void generate_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                    const TaskloopRequest& request) {
  const bool alone = !request.deferred || runs_at_once(member);
  if (alone || !request.shareable || request.split.tasks() <= kShort)
    return make_one_by_one(member, *pattern, request);
  auto* generation = new Generation{std::move(pattern), request.split};
  make_row(member, *generation, *member.task, 0, request.split.tasks());
  leave(*generation);
}

}  // namespace vicino::team
