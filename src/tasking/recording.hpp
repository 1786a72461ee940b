// recording.hpp: the tasks that one task generates are written down, so that a graph can run them
// again.
//
// Why    A program that generates the same tasks again and again pays for their dependences each
//        time, and nobody sees more of the graph than a few tasks at once. A recorded graph can be
//        coarsened and placed.
// Rule   As for OpenMP 6.0's taskgraph: what is kept of a task is its code, its own copies of
//        firstprivate variables as they were at its generation, and its dependences. Shared
//        variables are those of the first run, unless the compiled code can find others. Code
//        between the tasks is not run again. The tasks that a recorded task generates itself
//        belong to it, and are not recorded. taskwait, the end of a taskgroup, and an undeferred
//        task order what comes after them.
// Not    for tasks of which a copy cannot be made: their data have constructors or destructors.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "task/order.hpp"
#include "team/member.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;

// A task as it was when it was generated.
class RecordedTask {
 public:
  virtual ~RecordedTask() = default;
  // Runs a copy of the task here and now. Any number of threads at a time. `captures`: where the
  // variables that it shares are; null: where they were.
  virtual void run(Member& member, void* captures) const = 0;
};

// Which tasks are recorded: every one, or those that the compiled code calls replayable.
enum class Recorded : uint8_t { kAll, kReplayable };

// Used by the thread that runs the recorded task, while nothing else runs on top of it.
class Recording {
 public:
  explicit Recording(Task& its_task, Recorded which = Recorded::kAll) noexcept
      : task_(its_task), which_(which) {}

  bool takes_all() const noexcept { return which_ == Recorded::kAll; }
  bool is_of(const Member& member) const noexcept { return member.tasks.standing.is_in(task_); }

  // make() makes the RecordedTask, and may throw std::bad_alloc. If the task is not `deferred`,
  // later tasks come after it.
  template <class Make>
  void add(std::span<const task::Dependence> dependences, bool deferred, Make make) noexcept {
    note([&] {
      tasks_.resize(order_.add(dependences));
      tasks_.push_back(make());
      if (!deferred) order_.wait_for_newest();
    });
  }
  void wait() noexcept {
    note([&] { order_.wait(); });
  }
  void wait_for(std::span<const task::Dependence> dependences) noexcept {
    note([&] { order_.wait_for(dependences); });
  }
  // Something that cannot be recorded: `why` is the first part of a sentence.
  void refuse(const char* why) noexcept {
    if (refused_ == nullptr) refused_ = why;
  }

  // Null if all was recorded.
  const char* refused() const noexcept { return refused_; }
  const task::Order& order() const noexcept { return order_; }
  // By number; null: a wait.
  std::vector<std::unique_ptr<const RecordedTask>> take_tasks() {
    tasks_.resize(order_.tasks());
    return std::move(tasks_);
  }

 private:
  // Compiled code called, which knows no exceptions.
  template <class Act>
  void note(Act act) noexcept {
    if (refused_ != nullptr) return;
    try {
      act();
    } catch (const std::exception&) {
      refused_ = "there is no memory for so many tasks";
    }
  }

  Task& task_;
  const Recorded which_;
  task::Order order_;
  std::vector<std::unique_ptr<const RecordedTask>> tasks_;
  const char* refused_ = nullptr;
};

// Null unless the present task's children are being recorded.
inline Recording* recording_of(const Member& member) noexcept {
  Recording* const recording = member.tasks.recording;
  if (recording == nullptr) [[likely]]
    return nullptr;
  return recording->is_of(member) ? recording : nullptr;
}
// Null unless all of its children are, also those that the compiled code does not call replayable.
inline Recording* recording_of_all(const Member& member) noexcept {
  Recording* const recording = recording_of(member);
  return recording != nullptr && recording->takes_all() ? recording : nullptr;
}
// What the present task does now, if it is being recorded:
inline void record_wait(const Member& member) noexcept {
  if (Recording* const recording = recording_of(member)) [[unlikely]]
    recording->wait();
}
inline void record_wait_for(const Member& member,
                            std::span<const task::Dependence> dependences) noexcept {
  if (Recording* const recording = recording_of(member)) [[unlikely]]
    recording->wait_for(dependences);
}
inline void refuse_to_record(const Member& member, const char* why) noexcept {
  if (Recording* const recording = recording_of(member)) [[unlikely]]
    recording->refuse(why);
}

// A taskloop's tasks are not recorded.
inline void refuse_taskloop(const Member& member) noexcept {
  if (Recording* const recording = recording_of_all(member)) [[unlikely]]
    recording->refuse("it has a taskloop");
}

// Calls region(data), which generates children of the present task, and records them. If they are
// in a taskgroup of their own, it returns when they, and all that they generated, have ended.
void record(Member& member, Recording& recording, void (*region)(void* data), void* data,
            bool in_group = true);

}  // namespace vicino::tasking
