// taskloop_counts.hpp: what VICINO_STATS tells of taskloops whose tasks are offered to the whole
// team.
//
// How    Any member may run such a task, and the last task may end long after all were made. So
//        each task has a cover: a body by Vicino that counts, and runs the task's own body. It lies
//        in the thread's memory for what tasks need besides their records. Each member counts in a
//        part of its own. The tasks, the pattern and the thread that met the taskloop all use the
//        parts; the last of them to leave adds the parts up.
//
// Memory order
//  M1 leaving is a release, and for the last to leave an acquire: what each member has counted
//     comes before the sums. Entering is relaxed: what enters is made by a user of the parts, and
//     published with its task.
#pragma once

#include <memory>

namespace vicino::site {
struct LoopCounts;
}
namespace vicino::team {
struct Member;
}

namespace vicino::tasking {

using team::Member;

class TaskPattern;
struct TaskloopParts;

// Exists while the calling thread generates the tasks. That time is the scheduling time of such a
// taskloop, less the time of the tasks that the thread runs meanwhile.
class TaskloopCounts {
 public:
  TaskloopCounts(Member& member, site::LoopCounts& sums);
  ~TaskloopCounts();
  TaskloopCounts(const TaskloopCounts&) = delete;
  TaskloopCounts& operator=(const TaskloopCounts&) = delete;

  // A pattern whose tasks are counted. It may outlive this object.
  std::unique_ptr<TaskPattern> cover(std::unique_ptr<TaskPattern> pattern);

 private:
  const Member& member_;
  TaskloopParts& parts_;
  const uint64_t start_;
};

}  // namespace vicino::tasking
