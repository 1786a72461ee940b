// taskloop.hpp: generates a taskloop's tasks.
#pragma once

#include <memory>
#include <string_view>

#include "loop/range.hpp"
#include "site/call_site.hpp"
#include "task/split.hpp"
#include "team/cancelled.hpp"

namespace vicino::site {
class LazySite;
struct LoopCounts;
}  // namespace vicino::site

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// Makes the tasks of one taskloop. Several threads use it at once.
class TaskPattern {
 public:
  virtual ~TaskPattern() = default;
  // Makes a task for some iterations; it is neither spawned nor run.
  virtual Task& make(Member& member, loop::Range iterations) = 0;
  // Runs such a task at once.
  virtual void run_one(Member& member, loop::Range iterations);
  // Runs the tasks with numbers in [first, last) at once, one after the other. After the first it
  // ends early when the group is cancelled or, unless `alone`, when the member's deque is empty.
  // Returns the number of the next task. `alone`: no other thread uses the pattern.
  virtual uint64_t run(Member& member, const task::Split& split, uint64_t first, uint64_t last,
                       bool alone);
};

struct TaskloopRequest {
  site::CallSite site;
  task::Split split;
  bool open = false;      // no clause says how many tasks there are
  bool deferred = true;   // the if clause
  bool shareable = true;  // other threads may make tasks, too, after generate_tasks() has returned
  bool in_place = false;  // other threads run each task by TaskPattern::run_one(), and spawn none
  bool urgent = false;    // its tasks have a priority
  bool for_agents = false;  // free agents may run its tasks
};

// The division of a taskloop without a clause that says how many tasks it has. Nothing else decides
// that.
task::SplitRequest default_split(int threads) noexcept;

// Whether the present task is about to wait for the tasks that it generates now, and for no others:
// it has just opened a taskgroup. clang's code opens a taskloop's group itself, and says nogroup.
bool waits_at_once(Member& member) noexcept;
// Runs a taskloop by the calling thread, as a team of one would run it.
void run_alone(Member& member, TaskPattern& pattern, const TaskloopRequest& request,
               site::LazySite& site);

// Where taskloops of this call site are counted, as loops of a schedule of that `name`, a literal;
// null if they are not counted.
site::LoopCounts* counted_at(site::LazySite& site, const Team& team, std::string_view name);

// Whether the member is to make or run another of a taskloop's tasks: not if the group is cancelled.
inline bool goes_on(Member& member) noexcept { return !team::taskgroup_is_cancelled(member); }
// As goes_on(), for a member that, unless `alone`, stops also when its deque is empty: then other
// threads find no tasks there.
inline bool goes_on(Member& member, bool alone) noexcept {
  return goes_on(member) && (alone || member.tasks.deque.holds(1));
}

// The pattern lives until the last task is made, perhaps after the return.
void generate_tasks(Member& member, std::unique_ptr<TaskPattern> pattern,
                    const TaskloopRequest& request);

}  // namespace vicino::tasking
