#include "tasking/recording.hpp"

#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {
// While a thread records every task, tasks do not run at once for want of other threads or of room,
// because such tasks need no record. A replayable task is recorded before that is decided.
void record(Member& member, Recording& recording, void (*region)(void* data), void* data,
            bool in_group) {
  const Task& task = member.task();
  if (member.tasks.recording != nullptr) recording.refuse("it lies in another recording");
  if (task.is(Task::kFinal)) recording.refuse("it lies in a final task");
  if (task.is(Task::kUntied)) recording.refuse("it lies in an untied task");
  if (in_group) begin_group(member);
  if (recording.refused() != nullptr) {
    region(data);
  } else {
    Worker& worker = *member.worker;
    member.tasks.recording = &recording;
    if (recording.takes_all()) worker.budget.begin_recording();
    region(data);
    if (recording.takes_all()) worker.budget.end_recording();
    member.tasks.recording = nullptr;
  }
  if (in_group) end_group(member);
}

}  // namespace vicino::tasking
