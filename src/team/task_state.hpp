// task_state.hpp: what a member and a team keep for explicit tasks. The layer `tasking` uses it.
//
// Memory order: the types below have their own pairs. Those of SleepState::on are in
// tasking/attentive.hpp (release) and in would_wake_for() of tasking/ready.cpp (acquire).
// `next_domain` and `handed` are relaxed: `next_domain` only spreads tasks over domains, and a member
// that reads an old `handed` looks again (longest_sleep() of tasking/ready.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "sync/event_count.hpp"
#include "task/deque.hpp"
#include "task/nesting.hpp"
#include "task/queues.hpp"
#include "task/search.hpp"
#include "task/sleep.hpp"
#include "task/termination.hpp"
#include "team/standing.hpp"
#include "team/task.hpp"

namespace vicino::task {
enum class QueueKind : uint8_t;
class Holders;
}  // namespace vicino::task
namespace vicino::tasking {
class Recording;
class Starts;
}  // namespace vicino::tasking

namespace vicino::team {

struct DomainsOfMembers;

// What a member keeps to decide how its tasks begin. All of it is tasking/start.hpp's.
class StartState {
 public:
  // No bare task is known to be tiny any more: it has ended, or gets a record.
  void forget_tiny() noexcept { tiny_from_ = kNever; }

 private:
  friend class tasking::Starts;
  // While so many bare tasks are on top of each other, one of them is known to be tiny.
  static constexpr uint32_t kNever = UINT32_MAX;
  uint32_t tiny_from_ = kNever;
  uint32_t unasked_ = 0;        // tasks that a tiny one may still make without a question
  uint32_t untimed_ = 0;        // tiny calls since the last timed one
  uint32_t stocks_on_ = 0;      // for how many more tasks short ones are queued
  uint64_t stolen_before_ = 0;  // Deque::stolen() at the last one
  uint64_t stolen_asked_ = 0;   // Deque::stolen() when it last asked thieves
  uint64_t drawn_ = 0;          // how many numbers it has drawn for VICINO_TASK_CALLS
};

// A slot for what only one file of `tasking` knows.
struct Kept {
  virtual ~Kept() = default;
};

// What a member keeps. Each part has its data to itself. The one bare pointer, `recording`, is for
// the entry points of the ABI that run a task as a plain call: they compare it with null.
struct TaskState {
  Standing standing;
  StartState starts;
  task::Epoch epoch;
  tasking::Recording* recording = nullptr;  // of the children of one of its tasks
  task::Deque<Task> deque;
  task::Shared<Task> handed;  // tasks that this member is to run
  task::Search search;
  task::Nested crews;            // taskloops that it works for, in a crew or in place of one
  task::Nested pending_waits;    // calls of wait_for_pending()
  std::unique_ptr<Kept> around;  // the other members, by distance: tasking/ready.cpp
  std::unique_ptr<Kept> held;    // null unless it has held back tasks: tasking/repeated.cpp

  void begin_epoch(task::Termination& its_termination, uint64_t number) noexcept {
    epoch.begin(its_termination, number);
    search.begin_epoch();
    standing.level().begin_epoch();
  }
};

// What a member shows to others while it sleeps.
struct SleepState {
  sync::EventCount pending_done;  // it sleeps here while it waits for its children or its taskgroup
  // While it sleeps, it is woken only for tasks that may run on top of `on`; null: for any task.
  task::Sleeper sleeper;
  plat::atomic<Task*> on{nullptr};
};

// What a team keeps. An epoch lasts from one barrier to the next; the two termination detectors
// take turns.
struct TeamTasks {
  TeamTasks(task::QueueKind its_queue, bool learns, bool has_priorities);
  ~TeamTasks();

  alignas(kLine) task::Termination terminations[2];
  sync::EventCount rest;  // members sleep here until the termination detector is at rest; only
                          // notified, its value never changes
  // Read for each new task.
  alignas(kLine) const task::QueueKind queue;  // what the task scheduler uses
  const bool learns_lengths;                   // of tasks, because short ones are calls
  const bool calls_short;                      // and tasks have no priorities
  task::Hunger hunger;                         // of members that have looked for a task in vain
  task::Hunger starvation;                     // of those that have for long, or sleep
  const std::unique_ptr<task::Holders> holders;
  alignas(kLine) task::Shared<Task> shared;
  // By near domain, if there are several.
  std::vector<std::unique_ptr<task::Shared<Task>>> of_domains;
  // Set by the last arrange(), if there are queues of domains.
  const std::unique_ptr<DomainsOfMembers> member_domains;
  plat::atomic<uint64_t> next_domain{0};
  plat::atomic<int> handed{0};  // tasks that wait for the member that they were handed to
  task::Prioritised<Task> urgent;
  // For tasks that free agents may run: tasking/free_agents.hpp. All are written in few programs.
  plat::atomic<bool> is_host{false};  // relaxed: set by members, cleared when the region is over
  plat::atomic<uint32_t> agents{0};   // that run tasks of the team
  plat::atomic<uint64_t> shown_epoch{0};
  plat::atomic<task::Termination*> shown_termination{nullptr};
};

}  // namespace vicino::team
