#include "tasking/recording.hpp"

#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {
// While a thread records, tasks do not run at once for want of other threads or of room, because
// such tasks need no record.
void record(Member& member, Recording& recording, void (*region)(void* data), void* data) {
  const Task& task = member.task();
  if (member.tasks.recording != nullptr) recording.refuse("it lies in another recording");
  if (task.is(Task::kFinal)) recording.refuse("it lies in a final task");
  if (task.is(Task::kUntied)) recording.refuse("it lies in an untied task");
  begin_group(member);
  if (recording.refused() != nullptr) {
    region(data);
  } else {
    Worker& worker = *member.worker;
    member.tasks.recording = &recording;
    worker.tasks_below += Worker::kMany;
    region(data);
    worker.tasks_below -= Worker::kMany;
    member.tasks.recording = nullptr;
  }
  end_group(member);
}

}  // namespace vicino::tasking
