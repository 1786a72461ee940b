// dependences.hpp: tasks that wait for others before they begin, and tasks that are done only when
// an event is fulfilled.
#pragma once

#include <span>

#include "sync/fork_gate.hpp"
#include "task/depend.hpp"
#include "team/member.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// A task has one if it has a place in the order of its siblings, children with such an order, or an
// event; few tasks do.
struct Vertex : task::Vertex {
  using task::Vertex::Vertex;

  Task* task = nullptr;
  task::Table* table = nullptr;  // of its children's dependences; for the thread that runs the task
  Member* waiter = nullptr;      // waits for the task to be ready; null: a ready task is offered
  bool counted = false;          // parent and group count it, though it runs at once
  bool imports = false, exports = false;  // Transparency

  // A task with an event ends twice: its body ends, and the event is fulfilled. The thread that
  // does the second of these finishes the task. The event holds the vertex until it is fulfilled,
  // even if the task has gone.
  bool detached = false;
  bool is_watched = false;  // its task has Task::kWatched
  static constexpr uint32_t kFulfilled = 1, kEnded = 2;
  static constexpr uint32_t kFulfilledTold = 4, kEndTold = 8;  // to a tool
  plat::atomic<uint32_t> event{0};
  Team* team = nullptr;
  task::Termination* termination = nullptr;
};

// OpenMP 6.0's transparent clause: whether the dependences of a task's children count outside of it, too.
//  Import: the task's earlier siblings count as earlier siblings of its children; those of its parent, too, if
//     the parent imports, and so on outwards. Here the importing task begins after those of them that have
//     dependences, so nothing is left that a child could have to wait for. A child that waited for an outer
//     task itself could wait for ever: its parent may lie on the stack of the only thread that is free to run
//     the outer task, and only descendants may run on top of the parent.
//  Export: what comes after the exporting task, directly or by others in between, comes after those of its
//     children that its own dependences name. Here it comes after all children that have dependences.
//     A task that runs at once hands its children on to its parent's table (Table::absorb()): later
//     siblings then wait for those children that they name.
// Both wait for more tasks than the standard asks for, but only for tasks that one thread, running the program in
// its order, would end before it began those that wait.
struct Transparency {
  bool imports = true, exports = true;
};

// Whether the table of the present task's children is empty: what is held back is not in it.
inline bool has_empty_table(const Member& member) noexcept {
  const Vertex* const vertex = member.tasks.standing.innermost().vertex;
  return vertex == nullptr || vertex->table == nullptr || vertex->table->empty();
}
// True if no child of the present task can have to wait for another: no child so far has
// dependences.
inline bool has_no_order(const Member& member) noexcept {
  if (member.tasks.standing.is_bare()) return true;
  return has_empty_table(member) && member.tasks.held == nullptr;
}

// The task, which has dependences or an event, is offered to the team when it is ready. If it is
// not `deferrable`, or need not be deferred, it has been run when this returns.
void generate(Member& member, Task& task, std::span<const task::Dependence> dependences,
              bool deferrable);

// The task, which is not generated yet, is transparent.
void make_transparent(Member& member, Task& task, Transparency how);
// The task, which is neither spawned nor run, has no dependences or event, and will be discarded.
void discard_vertex(Member& member, Task& task) noexcept;
// The implicit task, which keeps its vertex and table from region to region, begins no region any more. `heap`: the
// calling thread's.
void drop_vertex(task::Heap& heap, Task& implicit) noexcept;
inline bool is_importing(const Task& task) noexcept {
  return task.vertex != nullptr && task.vertex->imports;
}
// The present task waits until an importing child may begin.
void wait_for_imports(Member& member);
// The task, which ran at once, has ended; the present task is its parent again.
void hand_on_children(Member& member, Task& task) noexcept;

// The task, which is counted (account()), is offered when it is ready.
void enter_order(Member& member, Task& task, std::span<const task::Dependence> dependences);

// The present task waits until a task with these dependences could begin.
void wait_for_dependences(Member& member, std::span<const task::Dependence> dependences);
// Later tasks wait until a task with these dependences could begin; the present one does not. What waits for the
// present task's children or for its taskgroup waits for that, too: this is an empty task.
void order_by_dependences(Member& member, std::span<const task::Dependence> dependences);

// Makes the event of a task that is not yet generated.
void* make_event(Member& member, Task& task);
// What make_event() returned.
void* event_of(const Task& task) noexcept;
// By any thread, once. `become_root()` is for one that has no member yet.
void fulfill(void* event, Member& (*become_root)());
// Each fulfill() is inside. A thread that unmakes a team waits until it is empty, and so until none is under way that could still
// touch the team. fork() closes it before it takes a lock: the queue of a team that the child keeps, of one thread, may
// be locked there, and its tasks half counted.
inline constinit sync::ForkGate fulfilling;

// A tool is about to be told that the body of the task has ended: whether its event will be told as
// fulfilled later. Exactly one of the two is told as the task's end. Relaxed: only words depend on the
// answer, and the RMWs alone make it one.
inline bool tell_end_first(Vertex& vertex) noexcept {
  if (!vertex.detached) return false;
  return (vertex.event.fetch_or(Vertex::kEndTold, std::memory_order_relaxed) &
          Vertex::kFulfilledTold) == 0;
}

// The body of a task with a vertex has ended; true if the task is finished by that.
bool end_body(Member& member, Task& task) noexcept;
// The body of a task with a vertex is left out: the task does not wait for its event.
void leave_out(Task& task) noexcept;
// The task is finished: tells those that wait for it.
void complete_vertex(Member& member, Task& task) noexcept;

}  // namespace vicino::tasking
