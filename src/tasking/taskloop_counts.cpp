#include "tasking/taskloop_counts.hpp"

#include <utility>
#include <vector>

#include "site/counts.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/taskloop.hpp"
#include "tasking/tasks.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// One member's part. A body may run another one inside of it: only the outermost is timed.
struct alignas(kLine) TaskloopPart {
  site::LoopCounting counting;
  uint64_t body_ns = 0;
  int bodies = 0;
};

struct TaskloopParts {
  TaskloopParts(const Member& maker, site::LoopCounts& sums)
      : of_member(static_cast<size_t>(places_for(maker))) {
    for (TaskloopPart& part : of_member) part.counting.start(sums, nullptr, nullptr, {}, 0);
  }
  TaskloopPart& of(const Member& member) {
    return of_member[static_cast<size_t>(place_of(member))];
  }

  std::vector<TaskloopPart> of_member;
  plat::atomic<uint32_t> users{1};
};

namespace {

void enter(TaskloopParts& parts) noexcept { parts.users.fetch_add(1, std::memory_order_relaxed); }

void leave(TaskloopParts& parts) {
  if (parts.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;  // M1
  for (TaskloopPart& part : parts.of_member)
    part.counting.finish({}, &part == &parts.of_member.front());
  delete &parts;
}

struct Cover {
  TaskloopParts& parts;
  uint64_t iterations;
  bool (*body)(Member& member, Task& task);
  void* data;
  task::Heap::Origin origin;
};

template <class Body>
void count_body(TaskloopPart& part, uint64_t iterations, Body body) {
  part.counting.add_chunk(iterations);
  const uint64_t start = part.bodies++ == 0 ? plat::now() : 0;
  body();
  if (--part.bodies == 0) part.body_ns += plat::now() - start;
}

bool run_covered(Member& member, Task& task) {
  const Cover cover = *static_cast<const Cover*>(task.data);
  member.worker->heap().give(task.data, cover.origin);
  task.body = cover.body;
  task.data = cover.data;
  bool done = false;
  const auto body = [&] { done = task.body(member, task); };
  if (task.is(Task::kDiscarded))
    body();
  else
    count_body(cover.parts.of(member), cover.iterations, body);
  leave(cover.parts);
  return done;
}

class CountedPattern final : public TaskPattern {
 public:
  CountedPattern(std::unique_ptr<TaskPattern> pattern, TaskloopParts& parts)
      : pattern_(std::move(pattern)), parts_(parts) {
    enter(parts_);
  }
  ~CountedPattern() override { leave(parts_); }

  Task& make(Member& member, loop::Range iterations) override {
    Task& task = pattern_->make(member, iterations);
    enter(parts_);
    task::Heap::Origin origin;
    void* const memory = member.worker->heap().take(sizeof(Cover), origin);
    task.data = new (memory) Cover{parts_, iterations.size(), task.body, task.data, origin};
    task.body = run_covered;
    return task;
  }
  void run_one(Member& member, loop::Range iterations) override {
    count_body(parts_.of(member), iterations.size(),
               [&] { pattern_->run_one(member, iterations); });
  }

 private:
  const std::unique_ptr<TaskPattern> pattern_;
  TaskloopParts& parts_;
};

}  // namespace

TaskloopCounts::TaskloopCounts(Member& member, site::LoopCounts& sums)
    : member_(member), parts_(*new TaskloopParts(member, sums)), start_(plat::now()) {}

TaskloopCounts::~TaskloopCounts() {
  TaskloopPart& mine = parts_.of(member_);
  mine.counting.scheduling_ns += plat::now() - start_ - mine.body_ns;
  leave(parts_);
}

std::unique_ptr<TaskPattern> TaskloopCounts::cover(std::unique_ptr<TaskPattern> pattern) {
  return std::make_unique<CountedPattern>(std::move(pattern), parts_);
}

}  // namespace vicino::tasking
