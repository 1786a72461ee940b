// taskloop.hpp: a taskloop's tasks are generated.
#pragma once

#include <memory>
#include <string_view>

#include "task/split.hpp"
#include "team/cancel.hpp"
#include "team/tasks.hpp"

namespace vicino::team {

// What the tasks of one taskloop are made after. Used by several threads at once.
class TaskPattern {
 public:
  virtual ~TaskPattern() = default;
  // A task for some iterations, neither spawned nor run.
  virtual Task& make(Member& member, loop::Range iterations) = 0;
  // Such a task runs at once.
  virtual void run_one(Member& member, loop::Range iterations);
  // Such tasks run at once, one after the other: those numbered `first` to `last`, but for the
  // last. Ends early, though not before the first, when the group is cancelled or, unless `alone`,
  // when the member's deque is empty. Returns which one would be next. `alone`: no other thread
  // uses the pattern.
  virtual uint64_t run(Member& member, const task::Split& split, uint64_t first, uint64_t last,
                       bool alone);

 protected:
  static bool goes_on(Member& member, bool alone) noexcept {
    return !is_cancelled(member, Construct::kTaskgroup) && (alone || member.deque.holds(1));
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

// Whether the present task is about to wait for what it generates now, and for nothing else: it has
// just opened a taskgroup. clang opens a taskloop's group itself, and says nogroup.
bool waits_at_once(Member& member) noexcept;
// A taskloop without such a clause, by the calling thread, as a team of one would run it.
void run_alone(Member& member, TaskPattern& pattern, const TaskloopRequest& request);

// Where taskloops of a call site are counted, as loops of a schedule of that name, a literal; null
// if they are not.
Site* counted_site(const Team& team, const CallSite& call, std::string_view name);

// The pattern lives until the last task is made, which may be after the return.
void generate_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                    const TaskloopRequest& request);

}  // namespace vicino::team
