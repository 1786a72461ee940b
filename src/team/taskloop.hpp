// taskloop.hpp: a taskloop's tasks are generated.
#pragma once

#include <memory>

#include "task/split.hpp"
#include "team/tasks.hpp"

namespace vicino::team {

// What the tasks of one taskloop are made after. Used by several threads at once.
class TaskPattern {
 public:
  virtual ~TaskPattern() = default;
  // A task for some iterations, neither spawned nor run.
  virtual Task& make(Member& member, loop::Range iterations) = 0;
  // The same, run at once. `alone`: no other thread uses the pattern.
  virtual void run(Member& member, loop::Range iterations, bool alone) {
    static_cast<void>(alone);
    run_at_once(member, make(member, iterations));
  }
};

struct TaskloopRequest {
  CallSite site;
  task::Split split;
  bool open = false;      // no clause says how many tasks there are
  bool deferred = true;   // the if clause
  bool shareable = true;  // other threads may make tasks, too, after generate_tasks() has returned
  bool urgent = false;    // its tasks have a priority
};

// Without a clause that says how many tasks a taskloop has. The only place that decides it.
task::SplitRequest default_split(int threads) noexcept;

// The pattern lives until the last task is made, which may be after the return.
void generate_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                    const TaskloopRequest& request);

}  // namespace vicino::team
