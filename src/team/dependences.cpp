// dependences.cpp: tasks that wait for others, and tasks with an event.
//
// A task that waits is counted in its families and in its member's balance from when it is
// generated, so whoever waits for these waits for it, too. That it is ready it learns from who
// completes the last of what it waits for: a member pushes it on its own deque, like a task that it
// generates; who fulfils an event puts it where any member finds it, since it may be of another
// team or run something in which this task may not begin.
//
// No wake-up is lost
//  W1 a member that waits for a node: whoever makes that ready announces it, then nudges the
//     member's bell; Gate::doze asks for the announcement after it has set the gate's bit.
//  W2 an event's last effect on the team is the ledger's word, and a nudge of Team::rest if that is
//     at rest: as a member that runs dry (stop_work). The nudge may come when the team has gone on;
//     teams are unmade only when no fulfil() is under way (await_fulfilling).
#include "team/dependences.hpp"

#include <algorithm>
#include <new>

#include "base/say.hpp"
#include "team/attentive.hpp"
#include "team/ready.hpp"

namespace vicino::team {
namespace {

using task::Access;
using task::Dependence;
using task::Edge;
using task::Join;
using Dependences = std::span<const Dependence>;

plat::atomic<uint32_t> fulfilling{0};

task::Heap& heap_of(Member& member) { return member.worker->heap(); }

size_t exclusions_for(Dependences dependences) {
  return static_cast<size_t>(std::count_if(dependences.begin(), dependences.end(),
                                           [](auto& d) { return d.access == Access::kMutex; }));
}

Node& make_node(Member& member, Dependences dependences = {}) {
  const size_t edges = task::Table::edges_for(dependences.size());
  const size_t exclusions = exclusions_for(dependences);
  task::Heap::Origin origin;
  void* const memory = task::take_node_memory(
      heap_of(member), sizeof(Node) + edges * sizeof(Edge) + exclusions * sizeof(Join*), origin);
  auto* const first_edge = reinterpret_cast<Edge*>(static_cast<Node*>(memory) + 1);
  auto* node = new (memory) Node(first_edge, reinterpret_cast<Join**>(first_edge + edges));
  node->origin = origin;
  return *node;
}

void free_node(Member& member, Node& node) noexcept { task::free_node(heap_of(member), node); }

// The task's own; one that it got with its event has no room of its own for dependences.
Node& node_with_room(Member& member, Task& task, Dependences dependences) {
  if (task.node == nullptr) {
    task.node = &make_node(member, dependences);
    task.node->task = &task;
  } else {
    task.node->make_room(dependences.size(), exclusions_for(dependences));
  }
  return *task.node;
}

task::Table& table_of(Member& member) {
  Task& task = member.task();
  if (task.node == nullptr) {
    task.node = &make_node(member);
    task.node->task = &task;
  }
  if (task.node->table == nullptr) task.node->table = new task::Table;
  return *task.node->table;
}

// W1
void announce(Node& node) noexcept {
  Member& waiter = *node.waiter;  // the node may be gone after the next line
  node.announce();
  waiter.bell.nudge();
}

void wait_until_ready(Member& member, Node& node) noexcept {
  offer_child(member);
  const auto ready = [](uint64_t word) { return word == Node::kReady; };
  while (!ready(node.word().load(std::memory_order_acquire)))
    if (!help(member)) attend(member, node.word(), member.bell, ready);
}

template <class Put>
void complete(Member& member, Node& node, Put put) noexcept {
  task::complete(node, heap_of(member), [&put](task::Node& ready) {
    Node& next = static_cast<Node&>(ready);
    if (next.waiter != nullptr)
      announce(next);
    else
      put(*next.task);
  });
}

// The event of a task whose body has ended.
void finish_detached(Node& node) {
  Member& member = me();
  Task& task = *node.task;
  Team& team = *node.team;
  task::Ledger& ledger = *node.ledger;
  complete(member, node, [&team](Task& next) { offer_from_outside(team, next); });
  leave_families(member, task);
  if (member.team == &team && member.at_work) {
    --member.balance;
    return;
  }
  if (ledger.settle_one()) team.rest.nudge();  // W2
  member.worker->flush_heaps();
}

}  // namespace

void generate(Member& member, Task& task, Dependences dependences, bool deferrable) {
  const bool must_run = !deferrable || member.recorded->is(Task::kFinal);
  const bool at_once = must_run || runs_at_once(member);
  const bool detached = task.node != nullptr;
  if (at_once && !detached && (has_no_order(member) || table_of(member).met(dependences)))
    return run_at_once(member, task);

  account(member, task);
  if (!dependences.empty()) {
    Node& node = node_with_room(member, task, dependences);
    node.waiter = must_run ? &member : nullptr;
    const bool ready = table_of(member).add(node, dependences, heap_of(member)) && node.proceed();
    if (!ready && !must_run) return;
    if (!ready) wait_until_ready(member, node);
  }
  if (!at_once) return offer(member, task);
  task.node->counted = true;
  run_at_once(member, task);
}

void wait_for_dependences(Member& member, Dependences dependences) {
  if (has_no_order(member)) return;
  task::Table& table = table_of(member);
  if (table.met(dependences)) return;
  Node& node = make_node(member, dependences);
  node.waiter = &member;
  if (!table.await(node, dependences, heap_of(member))) wait_until_ready(member, node);
  free_node(member, node);
}

void order_by_dependences(Member& member, Dependences dependences) {
  if (has_no_order(member) || table_of(member).met(dependences)) return;
  Node& node = make_node(member, dependences);
  node.completes_itself = true;
  if (table_of(member).add(node, dependences, heap_of(member)) && node.proceed())
    complete(member, node, [&member](Task& next) { offer(member, next); });
}

void* make_event(Member& member, Task& task) {
  Node& node = make_node(member);
  node.task = &task;
  node.team = member.team;
  node.ledger = member.ledger;
  node.detached = true;
  node.hold();
  task.node = &node;
  return &node;
}

void fulfill(void* event) {
  if (event == nullptr)
    die("omp_fulfill_event: 0 is no event; give it the one that a detach clause has set");
  auto& node = *static_cast<Node*>(event);
  fulfilling.fetch_add(1, std::memory_order_acquire);
  const uint32_t before = node.event.fetch_or(Node::kFulfilled, std::memory_order_acq_rel);
  if (before == Node::kEnded) finish_detached(node);
  if (node.drop()) free_node(me(), node);
  fulfilling.fetch_sub(1, std::memory_order_release);
}

void forget_fulfilling() noexcept { fulfilling.store(0, std::memory_order_relaxed); }

void await_fulfilling() noexcept {
  for (;;) {
    const uint32_t seen = fulfilling.load(std::memory_order_acquire);
    if (seen == 0) return;
    plat::Budget budget{.ns = 1000, .share_core = true};
    plat::wait_on(fulfilling, seen, budget);
  }
}

bool end_body(Member& member, Task& task) noexcept {
  forget_children(member, task);
  Node& node = *task.node;
  if (!node.detached) return true;
  task.set_owner(nullptr);  // from here on nobody's: who finishes it may be any thread
  task.children.disown();
  return node.event.fetch_or(Node::kEnded, std::memory_order_acq_rel) & Node::kFulfilled;
}

void leave_out(Task& task) noexcept {
  task.node->event.fetch_or(Node::kFulfilled, std::memory_order_acq_rel);
}

void complete_node(Member& member, Task& task) noexcept {
  complete(member, *task.node, [&member](Task& next) { offer(member, next); });
}

void forget_children(Member& member, Task& task) noexcept {
  task::Table* const table = task.node->table;
  if (table == nullptr) return;
  table->clear(heap_of(member));
  if (!task.is(Task::kExplicit)) return;  // there it serves again
  task.node->table = nullptr;
  delete table;
}

}  // namespace vicino::team
