// task.hpp: the record of a task, explicit or implicit, and a taskgroup.
//
// Memory order: the words of a record that other threads may read are relaxed.
//  M1 a thread that takes a task sees the whole record, because the deque or queue publishes what
//     was written before the task was offered (D1 and D2 of task/deque.hpp, the lock of
//     task/queues.hpp).
//  M2 a thief may look at a record that has been freed meanwhile. It still finds a record there
//     (task/README.md), whatever the values are, and it does not get the task: top_ of the deque
//     has moved (I1 and I3 of task/deque.hpp).
//  M3 the owner sets `owner_` before it generates children, so M1 shows it to the threads that run
//     them.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "ompt/records.hpp"
#include "plat/plat.hpp"
#include "task/heap.hpp"
#include "task/pending_count.hpp"
#include "team/icvs.hpp"

namespace vicino::tasking {
class Reductions;
struct Vertex;
}  // namespace vicino::tasking

namespace vicino::team {

struct Member;
struct Group;

struct alignas(kLine) Task {
  enum Flag : uint8_t {
    kFinal = 1,
    kUntied = 2,
    kExplicit = 4,
    kWatched = 8,      // it has an ompt::TaskRecord
    kBegun = 64,       // must not be discarded: it has run its first part, or holds objects
    kDiscarded = 128,  // its group was cancelled: the body only frees what it holds
  };

  // In place of a priority: free agents may run the task (tasking/free_agents.hpp).
  static constexpr int32_t kForAgents = -1;

  // The first field, because a heap's link overlays it while the record is free. Thieves read only
  // fields that follow.
  task::PendingCount children;

  // Runs the task, or its next part. Returns false if more parts follow.
  bool (*body)(Member& member, Task& task) = nullptr;
  // The compiled function. Of LLVM's undeferred tasks, between the two calls around their body, the Suspended
  // that the second call needs (abi/kmpc/tasks.cpp).
  void* function = nullptr;
  void* data = nullptr;      // what `body` needs
  Group* group = nullptr;  // the taskgroup that it belongs to
  // The taskgroup that its children belong to: the innermost one that it has open, or `group`.
  Group* inner = nullptr;
  Icvs* icvs = nullptr;        // its own ICVs; null: it has its team's
  task::Heap* heap = nullptr;  // with size_class: where the record came from
  uint8_t size_class = 0;
  uint8_t flags = 0;
  uint16_t record_at;    // if kWatched: set_record()
  uint16_t locks = 0;    // those that an untied task holds between two of its parts
  uint32_t number = 0;   // tasking::task_number() of an untied task, once asked for
  int32_t priority = 0;  // from its clause, at most OMP_MAX_TASK_PRIORITY; or kForAgents
  tasking::Vertex* vertex = nullptr;  // tasking/dependences.hpp; few tasks have one

  task::Heap::Origin origin() const noexcept { return {heap, size_class}; }
  void set_origin(task::Heap::Origin from) noexcept {
    heap = from.heap;
    size_class = static_cast<uint8_t>(from.size_class);
  }

  bool is(Flag flag) const noexcept { return (flags & flag) != 0; }

  // What a tool may ask of the task, if kWatched; it lies behind the task, at most 512 KB away.
  ompt::TaskRecord& record() const noexcept {
    auto* const start = reinterpret_cast<char*>(const_cast<Task*>(this));
    return *reinterpret_cast<ompt::TaskRecord*>(start + record_at * alignof(ompt::TaskRecord));
  }
  void set_record(const ompt::TaskRecord& its) noexcept {
    const auto distance = reinterpret_cast<const char*>(&its) - reinterpret_cast<const char*>(this);
    record_at = static_cast<uint16_t>(static_cast<size_t>(distance) / alignof(ompt::TaskRecord));
  }

  // A thief may read these words of a task that has ended meanwhile (task/deque.hpp), so they are
  // atomic (M2). They have no initial values, because those would be plain writes to words that the
  // thief reads.
  Task* parent() noexcept { return word(parent_).load(std::memory_order_relaxed); }
  uint32_t depth() noexcept { return word(depth_).load(std::memory_order_relaxed); }
  void set_depth(uint32_t depth) noexcept { word(depth_).store(depth, std::memory_order_relaxed); }
  void set_place_in_tree(Task* parent, uint32_t depth) noexcept {
    word(parent_).store(parent, std::memory_order_relaxed);
    set_depth(depth);
    set_owner(nullptr);
    set_data_domain(-1);
  }

  // The near domain where its data are; -1 if that is not known.
  int data_domain() noexcept { return word(data_domain_).load(std::memory_order_relaxed); }
  void set_data_domain(int domain) noexcept {
    word(data_domain_).store(static_cast<int16_t>(domain), std::memory_order_relaxed);
  }

  // The member that it runs on; null if it may move between threads, or has ended. A member
  // compares it with itself, and so reads its own store. Other threads read it to wake the owner
  // while the owner waits (M3), and, while a task of the owner's is not done, to tell it something.
  Member* owner() noexcept { return word(owner_).load(std::memory_order_relaxed); }
  void set_owner(Member* member) noexcept { word(owner_).store(member, std::memory_order_relaxed); }

  // Whether `ancestor` is this task, its parent, or further up.
  bool descends_from(Task& ancestor) noexcept {
    if (parent() == &ancestor) return true;
    const uint32_t floor = ancestor.depth();
    Task* at = this;
    for (uint32_t depth = at->depth(); depth > floor;) {
      at = at->parent();
      const uint32_t next = at->depth();
      if (next >= depth) return false;  // no tree: the record was freed and used again
      depth = next;
    }
    return at == &ancestor;
  }

 private:
  template <class T>
  static plat::atomic_ref<T> word(T& field) noexcept {
    return plat::atomic_ref<T>(field);
  }
  Member* owner_;
  Task* parent_;
  uint32_t depth_;
  int16_t data_domain_;
};
static_assert(sizeof(Task) <= 2 * kLine);

struct Group {
  enum Flag : uint8_t {
    kReduces = 1,
    kOfConstruct = 2,  // made only for `reductions`
    kTimed = 4,
  };

  task::PendingCount tasks;
  Member* leader;  // the member that waits at its end; null if any thread may be the one
  Group* outer;
  task::Heap::Origin origin;
  tasking::Reductions* reductions = nullptr;  // for tasks in this group and in groups inside it
  uint8_t flags = 0;                          // 0: its end is only waited for
  plat::atomic<bool> cancelled{false};        // relaxed: cancelled.hpp
  // If kTimed: the time from `since` to the group's end is added there, in ns.
  plat::atomic<uint64_t>* adds_to;
  uint64_t since;

  bool is(Flag flag) const noexcept { return (flags & flag) != 0; }
  void reduce(tasking::Reductions& its) noexcept {
    reductions = &its;
    flags |= kReduces;
  }
  void add_time_to(plat::atomic<uint64_t>& sum) noexcept {
    adds_to = &sum;
    since = plat::now();
    flags |= kTimed;
  }
};

}  // namespace vicino::team
