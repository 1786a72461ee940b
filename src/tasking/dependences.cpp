// dependences.cpp: tasks that wait for others, and tasks with an event.
//
// A task that waits is counted by its parent, its group and its member's balance from when it is
// generated, so whatever waits for these waits for the task, too. The thread that completes the
// last of its predecessors makes it ready. A member then pushes it on its own deque, like a task
// that it generates. A thread that fulfils an event puts it where any member finds it, since that
// thread may be of another team, or may run a task on top of which the ready one may not begin.
//
// No wake-up is lost
//  W1 a member that waits for a vertex: the thread that makes the vertex ready announces that, then
//     notifies the member's event count; EventCount::wait_once() looks for the announcement after
//     it has set the event count's bit.
//  W2 an event's last effect on the team is a change of the termination detector's word, and a
//     notify of TeamTasks::rest if the detector is at rest, as when a member runs dry (stop_work()
//     in tasks.cpp). The notify may come when the team has gone on; teams are unmade only when no
//     fulfill() is under way (`fulfilling`).
//
// Memory order
//  E1 the end of the body and fulfill() each set a bit of Vertex::event by a release, and the
//     second of the two is an acquire: so the thread that finishes the task sees what the body did,
//     and what the other thread did before it called fulfill(). Both come before the task's
//     completion (N1 and N2 of task/depend.hpp). leave_out() takes the place of fulfill().
//  E2 fulfill() leaves `fulfilling` by a release, which pairs with the acquire of await_empty() ((1) of
//     sync/fork_gate.hpp): what it did with the team comes before the team is unmade.
//  E3 fulfill() enters `fulfilling` before its RMWs on the event and on the termination detector,
//     which are releases (E1; L1 of task/termination.hpp). So await_empty(), called by a
//     thread that has acquired either, reads the word with that fulfill() in it or gone again.
//  W1's load of the vertex's word is an acquire: it pairs with announce(), N2 of task/depend.hpp.
#include "tasking/dependences.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/say.hpp"
#include "config/settings.hpp"
#include "event/tasks.hpp"
#include "tasking/attentive.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/ready.hpp"
#include "tasking/repeated.hpp"
#include "tasking/tasks.hpp"

namespace vicino::tasking {

using team::self;
namespace {

using task::Access;
using task::Dependence;
using task::Edge;
using task::Join;
using Dependences = std::span<const Dependence>;

task::Heap& heap_of(Member& member) { return member.worker->heap(); }

size_t exclusions_for(Dependences dependences) {
  return static_cast<size_t>(std::count_if(dependences.begin(), dependences.end(),
                                           [](auto& d) { return d.access == Access::kMutex; }));
}

Vertex& make_vertex(Member& member, Dependences dependences = {}) {
  const size_t edges = task::Table::edges_for(dependences.size());
  const size_t exclusions = exclusions_for(dependences);
  task::Heap::Origin origin;
  void* const memory = task::take_vertex_memory(
      heap_of(member), sizeof(Vertex) + edges * sizeof(Edge) + exclusions * sizeof(Join*), origin);
  auto* const first_edge = reinterpret_cast<Edge*>(static_cast<Vertex*>(memory) + 1);
  auto* vertex = new (memory) Vertex(first_edge, reinterpret_cast<Join**>(first_edge + edges));
  vertex->origin = origin;
  return *vertex;
}

void free_vertex(Member& member, Vertex& vertex) noexcept {
  task::free_vertex(heap_of(member), vertex);
}

// The task's vertex, with room for its dependences: a vertex made before they were known had none.
Vertex& vertex_with_room(Member& member, Task& task, Dependences dependences) {
  if (task.vertex == nullptr) {
    task.vertex = &make_vertex(member, dependences);
    task.vertex->task = &task;
  } else {
    task.vertex->make_room(dependences.size(), exclusions_for(dependences));
  }
  return *task.vertex;
}

Vertex& vertex_of(Member& member, Task& task) {
  if (task.vertex == nullptr) {
    task.vertex = &make_vertex(member);
    task.vertex->task = &task;
  }
  return *task.vertex;
}

task::Table& table_of(Member& member) {
  Vertex& vertex = vertex_of(member, member.task());
  if (vertex.table == nullptr) vertex.table = new task::Table;
  return *vertex.table;
}

// W1
void announce(Vertex& vertex) noexcept {
  Member& waiter = *vertex.waiter;  // the vertex may be freed after the next line
  vertex.announce();
  waiter.asleep.pending_done.notify();
}

void wait_until_ready(Member& member, Vertex& vertex) noexcept {
  offer_child(member);
  const auto ready = [](uint64_t word) { return word == Vertex::kReady; };
  task::Idle idle(member.team->tasks);
  while (!ready(vertex.word().load(std::memory_order_acquire)))  // N2 of task/depend.hpp
    if (!help(member, nullptr, &idle))
      Attentive(member).attend(vertex.word(), member.asleep.pending_done, ready, idle);
}

// What is done with a vertex that becomes ready: `put` gets the task, unless a member waits for it.
template <class Put>
auto hand_out(Put put) noexcept {
  return [put](task::Vertex& ready) {
    Vertex& next = static_cast<Vertex&>(ready);
    if (next.waiter != nullptr)
      announce(next);
    else
      put(*next.task);
  };
}
auto put_ready(Member& member) noexcept {
  return hand_out([&member](Task& next) { offer(member, next); });
}

template <class Ready>
[[gnu::always_inline]] inline void complete(Member& member, Vertex& vertex, Ready ready) noexcept {
  if (vertex.is_extended()) [[unlikely]]
    return task::end_extended(vertex, heap_of(member), ready);
  task::complete(vertex, heap_of(member), ready);
}

// join_order() for a transparent task.
[[gnu::noinline]] bool join_order_transparent(Member& member, Vertex& vertex,
                                              Dependences dependences) {
  task::Table& table = table_of(member);
  if (vertex.exports) {
    table.outlives_wait = true;
    // The record may be gone while others come to wait for the vertex.
    vertex.record = nullptr;
  }
  const bool known =
      vertex.imports ? table.add_after_all(vertex, dependences, heap_of(member), put_ready(member))
                     : table.add(vertex, dependences, heap_of(member));
  return known && vertex.proceed();
}

// The task takes its place in the order of its siblings. True if it is ready. `waiter`: as in
// Vertex.
bool join_order(Member& member, Task& task, Dependences dependences, Member* waiter) {
  if (dependences.empty() && !is_importing(task)) return true;
  Vertex& vertex = vertex_with_room(member, task, dependences);
  vertex.waiter = waiter;
  if (task.is(Task::kWatched)) [[unlikely]]
    vertex.record = &task.record();
  if (vertex.imports || vertex.exports) [[unlikely]]
    return join_order_transparent(member, vertex, dependences);
  return table_of(member).add(vertex, dependences, heap_of(member)) && vertex.proceed();
}

// The event of a task is fulfilled after its body has ended.
void finish_detached(Member& member, Vertex& vertex) {
  Task& task = *vertex.task;
  Team& team = *vertex.team;
  task::Termination& termination = *vertex.termination;
  complete(member, vertex, hand_out([&team](Task& next) { offer_from_outside(team, next); }));
  leave_counts(member, task);
  if (member.team == &team && member.tasks.epoch.is_at_work()) {
    member.tasks.epoch.finish_one();
    return;
  }
  if (termination.settle_one()) team.tasks.rest.notify();  // W2
  member.worker->flush_heaps();
}

// Whether the task would have nothing to wait for.
bool may_begin(Member& member, const Task& task, Dependences dependences) {
  const task::Table& table = table_of(member);
  return is_importing(task) ? table.is_done() : table.met(dependences);
}

}  // namespace

void make_transparent(Member& member, Task& task, Transparency how) {
  Vertex& vertex = vertex_of(member, task);
  vertex.imports = how.imports;
  vertex.exports = how.exports;
}

void discard_vertex(Member& member, Task& task) noexcept {
  if (task.vertex != nullptr && task.vertex->drop()) free_vertex(member, *task.vertex);
}

void wait_for_imports(Member& member) { wait_for_dependences(member, {&task::kAllMemory, 1}); }

void hand_on_children(Member& member, Task& task) noexcept {
  task::Table* const table = task.vertex->table;
  if (!task.vertex->exports || table == nullptr || table->is_done()) return;
  table_of(member).absorb(*table, heap_of(member), put_ready(member));
}

void generate(Member& member, Task& task, Dependences dependences, bool deferrable) {
  if (config::settings().taskgraph == config::Taskgraph::kSite &&
      hold_back(member, task, dependences, deferrable))
    return;
  const bool must_run = !deferrable || member.tasks.standing.is_final();
  const bool at_once = must_run || (!goes_to_agents(member, task) && runs_at_once(member));
  const bool detached = task.vertex != nullptr && task.vertex->detached;
  if (at_once && !detached && (has_no_order(member) || may_begin(member, task, dependences)))
    return run_at_once(member, task);

  account(member, task);
  if (!join_order(member, task, dependences, must_run ? &member : nullptr)) {
    if (!must_run) return;
    wait_until_ready(member, *task.vertex);
  }
  if (!at_once) return offer(member, task);
  task.vertex->counted = true;
  run_at_once(member, task);
}

void enter_order(Member& member, Task& task, Dependences dependences) {
  if (join_order(member, task, dependences, nullptr)) offer(member, task);
}

void wait_for_dependences(Member& member, Dependences dependences) {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  if (has_no_order(member)) return;
  task::Table& table = table_of(member);
  if (table.met(dependences)) return;
  Vertex& vertex = make_vertex(member, dependences);
  vertex.waiter = &member;
  if (!table.await(vertex, dependences, heap_of(member))) wait_until_ready(member, vertex);
  free_vertex(member, vertex);
}

void order_by_dependences(Member& member, Dependences dependences) {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  if (has_no_order(member) || table_of(member).met(dependences)) return;
  Task& task = *new_task(member, 0, 0);
  task.body = [](Member&, Task&) { return true; };
  account(member, task);
  enter_order(member, task, dependences);
}

namespace {

// The task is there until the event is fulfilled. If it was left out, it counts as fulfilled, and
// may be gone. Relaxed: as tell_end_first().
void tell_fulfilled(Vertex& vertex) noexcept {
  const uint32_t before = vertex.event.fetch_or(Vertex::kFulfilledTold, std::memory_order_relaxed);
  if ((before & Vertex::kFulfilled) != 0) return;
  event::task_fulfilled(*vertex.task, (before & Vertex::kEndTold) != 0
                                          ? ompt::TaskStatus::kLateFulfill
                                          : ompt::TaskStatus::kEarlyFulfill);
}

}  // namespace

void* make_event(Member& member, Task& task) {
  Vertex& vertex = vertex_of(member, task);
  vertex.team = member.team;
  vertex.termination = &member.tasks.epoch.termination();
  vertex.detached = true;
  vertex.is_watched = task.is(Task::kWatched);
  vertex.hold();
  return &vertex;
}

void* event_of(const Task& task) noexcept { return task.vertex; }

void fulfill(void* event, Member& (*become_root)()) {
  if (event == nullptr)
    die("omp_fulfill_event: 0 is no event; give it the one that a detach clause has set");
  auto& vertex = *static_cast<Vertex*>(event);
  const auto me = [&]() -> Member& { return self != nullptr ? *self : become_root(); };
  // A tool may wait for a lock that it took before fork(), and fork() waits for the threads inside of `fulfilling`. So
  // the tool is told of the event, and of a thread that is new, before this thread enters.
  if (vertex.is_watched) [[unlikely]] {
    me();
    tell_fulfilled(vertex);
  }
  const sync::ForkGate::Inside inside(fulfilling);  // E2, E3
  const uint32_t before =
      vertex.event.fetch_or(Vertex::kFulfilled, std::memory_order_acq_rel);  // E1
  constexpr uint32_t kBoth = Vertex::kFulfilled | Vertex::kEnded;
  if ((before & kBoth) == Vertex::kEnded) finish_detached(me(), vertex);
  if (vertex.drop()) free_vertex(me(), vertex);
}

namespace {

[[gnu::noinline]] void end_table(Member& member, Task& task) noexcept {
  Vertex& vertex = *task.vertex;
  if (vertex.exports) vertex.table->extend(vertex, heap_of(member), put_ready(member));
  drop_table(member, task);
}

}  // namespace

bool end_body(Member& member, Task& task) noexcept {
  Vertex& vertex = *task.vertex;
  if (vertex.table != nullptr) [[unlikely]]
    end_table(member, task);
  if (!vertex.detached) return true;
  task.set_owner(nullptr);  // from here on it has no owner: any thread may finish it
  task.children.disown();
  // E1
  return vertex.event.fetch_or(Vertex::kEnded, std::memory_order_acq_rel) & Vertex::kFulfilled;
}

void leave_out(Task& task) noexcept {
  plat::atomic<uint32_t>& event = task.vertex->event;
  uint32_t before = event.load(std::memory_order_relaxed);
  // fulfill(), once it tells a tool of the task, needs the task; it will set the bit itself.
  while ((before & Vertex::kFulfilledTold) == 0 &&
         !event.compare_exchange_weak(before, before | Vertex::kFulfilled,
                                      std::memory_order_acq_rel,  // E1
                                      std::memory_order_relaxed)) {
  }
}

void complete_vertex(Member& member, Task& task) noexcept {
  complete(member, *task.vertex, put_ready(member));
}

void forget_children(Member& member, Task& task) noexcept {
  if (task.vertex->table != nullptr && !task.vertex->table->outlives_wait) drop_table(member, task);
}

void drop_table(Member& member, Task& task) noexcept {
  task::Table* const table = task.vertex->table;
  if (table == nullptr) return;
  table->clear(heap_of(member));
  table->outlives_wait = false;
  if (!task.is(Task::kExplicit)) return;  // an implicit task uses its table again
  task.vertex->table = nullptr;
  delete table;
}

void drop_vertex(task::Heap& heap, Task& implicit) noexcept {
  Vertex* const vertex = std::exchange(implicit.vertex, nullptr);
  if (vertex == nullptr) return;
  if (vertex->table != nullptr) vertex->table->clear(heap);
  delete vertex->table;
  if (vertex->drop()) task::free_vertex(heap, *vertex);
}

}  // namespace vicino::tasking
