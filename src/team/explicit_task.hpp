// explicit_task.hpp: an explicit task that runs at once inside another task of its thread.
#pragma once

#include "team/worker.hpp"

namespace vicino::team {

// While one lives, the calling thread is in an explicit task: with control variables of its own,
// and final if it or a task around it is.
class ExplicitTask {
 public:
  explicit ExplicitTask(bool is_final) noexcept
      : member_(me()), its_own_(member_.icvs == &member_.own) {
    if (its_own_) saved_ = member_.own;
    ++member_.explicit_tasks;
    ++member_.worker->tasks_below;
    if (is_final || member_.final_tasks > 0) ++member_.final_tasks;
    is_final_ = member_.final_tasks > 0;
    inherited_ = member_.icvs;
  }
  ExplicitTask(const ExplicitTask&) = delete;
  ~ExplicitTask() {
    if (its_own_) member_.own = saved_;
    member_.icvs = inherited_;
    --member_.explicit_tasks;
    --member_.worker->tasks_below;
    if (is_final_) --member_.final_tasks;
  }

 private:
  Member& member_;
  bool its_own_;
  bool is_final_;
  Icvs* inherited_;
  Icvs saved_;
};

}  // namespace vicino::team
