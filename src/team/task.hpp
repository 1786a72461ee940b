// task.hpp: the record of a task, explicit or implicit, and a taskgroup.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "task/family.hpp"
#include "task/heap.hpp"
#include "team/icvs.hpp"

namespace vicino::team {

struct Member;
struct Group;
class Reductions;
struct Node;

struct alignas(kLine) Task {
  enum Flag : uint8_t {
    kFinal = 1,
    kUntied = 2,
    kExplicit = 4,
    kBegun = 64,       // not to be discarded: has run its first part, or been given objects
    kDiscarded = 128,  // the body is to free what it holds, and not to run: its group was cancelled
  };

  // First: a heap's links overlay it while the record is free, and thieves read only what follows.
  task::Family children;

  // Runs the task, or its next part; false if more parts follow.
  bool (*body)(Member& member, Task& task) = nullptr;
  void* function = nullptr;  // the ABI's
  void* data = nullptr;
  Group* group = nullptr;  // that it belongs to
  // That its children belong to: the innermost that it has open, or `group`.
  Group* inner = nullptr;
  Icvs* icvs = nullptr;        // its own, if it does not have its team's
  task::Heap* heap = nullptr;  // and size class: where the record came from
  uint8_t size_class = 0;
  uint8_t flags = 0;
  uint32_t number = 0;   // of an untied task that was asked for it: tasks.hpp
  int32_t priority = 0;  // as its clause has it, at most OMP_MAX_TASK_PRIORITY
  Node* node = nullptr;  // dependences.hpp; few tasks have one

  task::Heap::Origin origin() const noexcept { return {heap, size_class}; }
  void set_origin(task::Heap::Origin from) noexcept {
    heap = from.heap;
    size_class = static_cast<uint8_t>(from.size_class);
  }

  bool is(Flag flag) const noexcept { return (flags & flag) != 0; }

  // A thief may look at these of a task that has gone meanwhile (task/deque.hpp), hence atomic; and
  // hence no initial values, which would be written plainly over what the thief reads.
  Task* parent() noexcept { return word(parent_).load(std::memory_order_relaxed); }
  uint32_t depth() noexcept { return word(depth_).load(std::memory_order_relaxed); }
  void set_place_in_tree(Task* parent, uint32_t depth) noexcept {
    word(parent_).store(parent, std::memory_order_relaxed);
    word(depth_).store(depth, std::memory_order_relaxed);
    set_owner(nullptr);
    set_home(-1);
  }

  // The node domain where its data are; -1 if nothing is known of that.
  int home() noexcept { return word(home_).load(std::memory_order_relaxed); }
  void set_home(int domain) noexcept {
    word(home_).store(static_cast<int16_t>(domain), std::memory_order_relaxed);
  }

  // On whom it runs; null if it may move between threads, or has ended. The owner alone compares it
  // with itself; others read it only to wake him, which they do while he waits.
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
      if (next >= depth) return false;  // no tree: it is gone, and something else lies here
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
  int16_t home_;
};
static_assert(sizeof(Task) <= 2 * kLine);

struct Group {
  task::Family tasks;
  Member* leader;  // who waits at its end; null if that may be on any thread
  Group* outer;
  task::Heap::Origin origin;
  Reductions* reductions = nullptr;  // that tasks in it, or further in, may take part in
  bool of_construct = false;         // made for the sake of `reductions` alone
  plat::atomic<bool> cancelled{false};
};

}  // namespace vicino::team
