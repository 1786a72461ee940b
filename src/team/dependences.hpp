// dependences.hpp: tasks that wait for others before they begin, and tasks that are done only when
// an event is fulfilled.
#pragma once

#include <span>

#include "task/depend.hpp"
#include "team/tasks.hpp"

namespace vicino::team {

// What few tasks have: a place in the order of their siblings, children with such an order, an
// event.
struct Node : task::Node {
  using task::Node::Node;

  Task* task = nullptr;
  task::Table* table = nullptr;  // of its children; of the thread that runs the task
  Member* waiter = nullptr;      // waits for the task to be ready; else that goes to its team
  bool counted = false;          // in its families, though it runs at once

  // A task with an event ends twice: with its body, and when the event is fulfilled. Who comes
  // second finishes it; the event keeps the node until it is fulfilled, the task or not.
  bool detached = false;
  static constexpr uint32_t kFulfilled = 1, kEnded = 2;
  plat::atomic<uint32_t> event{0};
  Team* team = nullptr;
  task::Ledger* ledger = nullptr;
};

// Whether no child of the present task may have to wait for another: none that is there has
// dependences.
inline bool has_no_order(const Member& member) noexcept {
  if (member.bare != 0) return true;
  const Node* const node = member.recorded->node;
  return node == nullptr || node->table == nullptr || node->table->empty();
}

// The task, which has dependences or an event, is the team's from when it is ready; or it has been
// run when this returns, if it is not `deferrable` or need not be deferred.
void generate(Member& member, Task& task, std::span<const task::Dependence> dependences,
              bool deferrable);

// The present task waits until a task with these dependences could begin.
void wait_for_dependences(Member& member, std::span<const task::Dependence> dependences);
// Later tasks wait for that, the present one does not.
void order_by_dependences(Member& member, std::span<const task::Dependence> dependences);

// The task, not yet generated, has an event: this is it.
void* make_event(Member& member, Task& task);
// By any thread, once.
void fulfill(void* event);
// No fulfil() is under way that could still touch a team.
void await_fulfilling() noexcept;
// In the child of a fork(): who was at it is not there.
void forget_fulfilling() noexcept;

// Of a task with a node. Its body has ended, or is left out; true if it is finished by that.
bool end_body(Member& member, Task& task) noexcept;
void leave_out(Task& task) noexcept;
// It is finished: tells those that wait for it.
void complete_node(Member& member, Task& task) noexcept;

}  // namespace vicino::team
