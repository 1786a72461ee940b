// taskloop_counts.hpp: what the tasks of a taskloop did that were offered to the whole team:
// VICINO_STATS.
//
// How    Anybody may run such a task, and the last may end long after they have been made. So each
//        has a cover, a body of our own that counts and runs the task's own. Members count in parts
//        of their own; the last to leave adds those up: a task, who may still make some, or who met
//        the taskloop.
#pragma once

#include <memory>

#include "team/sites.hpp"
#include "team/taskloop.hpp"

namespace vicino::team {

struct TaskloopParts;

// While the calling thread generates the tasks: that is the scheduling time of such a taskloop, but
// for the tasks that the thread runs meanwhile.
class TaskloopCounts {
 public:
  TaskloopCounts(Member& member, Site& site);
  ~TaskloopCounts();
  TaskloopCounts(const TaskloopCounts&) = delete;
  TaskloopCounts& operator=(const TaskloopCounts&) = delete;

  // One whose tasks are counted. It may outlive this.
  std::unique_ptr<TaskPattern> cover(std::unique_ptr<TaskPattern> pattern);

 private:
  const Member& member_;
  TaskloopParts& parts_;
  const uint64_t start_;
};

}  // namespace vicino::team
