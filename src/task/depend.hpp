// depend.hpp: tasks in the order that their depend clauses ask for.
//
// Why    A task with dependences may start when those before it are done. Who generates tasks knows
//        what each address was last used for; who finishes one knows nothing but whom to tell.
// Cost   a task: a node, by and by a line or two of memory; each of its dependences: one look-up in
//        a table that one thread uses, one compare-and-swap at the predecessor and, when that is
//        done, one decrement here. Nothing depends on how many tasks share an address.
// Not    a graph that can be looked at: of the tasks that are done nothing is kept.
//
// An address sees phases: a writer is one, and so are all the readers between two writers, or all
// of a mutexinoutset or inoutset. Who joins a phase waits for the phase before it. A phase of more
// than a few tasks has a join: a node without a task, done when those are and the phase is over. So
// the writer after a million readers waits for one node, and a reader that is done is forgotten.
//
// Invariants
//  I1 successors_ grows by the generating thread alone, and is closed once, by who completes the
//     node. An edge that was pushed is taken by that closing; one that was refused counts as done.
//  I2 awaited_ = edges pushed for the node and not yet taken off, + kRegistering until the last of
//     them is pushed (a join: + 1 while its phase is open). So it becomes 0 once, and whoever
//     brings that about makes the node ready.
//  I3 edges lie in the memory of the node that waits or, towards a join, of the member: either is
//     needed until the edge was taken off, and it is so by who holds it.
//  I4 a node lives while it is not complete, while the table lists it, and while somebody holds it:
//     references_ counts these.
//  I5 who needs several exclusions enters them in the order of their addresses, keeps those it has,
//     and is handed the next by who leaves it. A thread never waits, and those that wait for each
//     other are in order, so there is no circle.
// Memory order
//  N1 closing successors_ is a release; it pairs with the acquire of a refused push and of done():
//     what the predecessor did is seen by who finds it done.
//  N2 taking one off awaited_ is a release, and by who makes it 0 an acquire: he sees what all
//     predecessors did, and publishes that with the task.
//  N3 an edge is published by the release of the push, and read after the acquire of the closing.
//  N4 leaving an exclusion is a release, entering one an acquire; who waits is published by a
//     release and handed on after an acquire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/say.hpp"
#include "plat/plat.hpp"
#include "task/heap.hpp"

namespace vicino::task {

enum class Access : uint8_t {
  kNone,
  kIn,
  kOut,     // and inout
  kMutex,   // mutexinoutset
  kSet,     // inoutset
  kMemory,  // omp_all_memory, as out
};

struct Dependence {
  const void* address;
  Access access;
};

class Node;
class Join;

struct Edge {
  Node* to;
  Edge* next;
};

class Node {
 public:
  // `edges`, `exclusions`: room for what its dependences need, in memory that goes with it.
  Node(Edge* edges, Join** exclusions) noexcept : edges_(edges), exclusions_(exclusions) {}
  Node(const Node&) = delete;

  // By the generating thread, until all_known(): this waits for `predecessor`; false if that is
  // done.
  bool wait_for(Node& predecessor) noexcept {
    Edge& edge = *edges_;
    edge.to = this;
    if (!predecessor.push(edge)) return false;
    ++edges_;
    ++pushed_;
    return true;
  }
  // Room for its dependences apart, before the first of them. For a node that was made before they
  // were known.
  void make_room(size_t dependences, size_t exclusions);

  // Its task runs while no other does that needs the same. In the order of I5.
  void need(Join& exclusion) noexcept { exclusions_[exclusions_needed_++] = &exclusion; }
  // True if there is nothing to wait for (any more): the caller goes on with proceed(). Otherwise
  // the node is somebody else's.
  bool all_known() noexcept {
    const uint64_t gone = kRegistering - pushed_;
    if (pushed_ == 0) {
      awaited_.store(0, std::memory_order_relaxed);  // nobody knows the node
      return true;
    }
    return awaited_.fetch_sub(gone, std::memory_order_acq_rel) == gone;  // N2, I2
  }

  // Nothing is waited for: enters its exclusions. False if it waits for one: it will be handed on.
  bool proceed() noexcept;

  bool done() const noexcept {
    return successors_.load(std::memory_order_acquire) == kClosed;  // N1
  }

  // For one that waits for the node to be ready, rather than be told.
  static constexpr uint64_t kReady = ~uint64_t{0};
  const plat::atomic<uint64_t>& word() const noexcept { return awaited_; }
  void announce() noexcept { awaited_.store(kReady, std::memory_order_release); }  // N2

  void hold() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  // True if it was the last: the node is the caller's to free.
  bool drop() noexcept {
    return references_.load(std::memory_order_acquire) == 1 ||  // I4: nobody else could add one
           references_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  // A node without a task is done as soon as it is ready.
  bool completes_itself = false;
  bool is_join = false;
  Heap::Origin origin;

 protected:
  static constexpr uint64_t kRegistering = uint64_t{1} << 40;

  // I1
  bool push(Edge& edge) noexcept {
    Edge* head = successors_.load(std::memory_order_acquire);  // N1
    do {
      if (head == kClosed) return false;
      edge.next = head;
    } while (!successors_.compare_exchange_weak(head, &edge, std::memory_order_release,  // N3
                                                std::memory_order_acquire));  // N1
    return true;
  }
  Edge* close() noexcept {
    return successors_.exchange(kClosed, std::memory_order_acq_rel);  // N1, N3
  }
  // One of what is waited for is done; true if it was the last.
  bool take_off() noexcept {
    return awaited_.fetch_sub(1, std::memory_order_acq_rel) == 1;  // N2
  }

  static inline Edge closed_;
  static constexpr Edge* kClosed = &closed_;

  friend class Join;
  friend class Table;
  friend void free_node(Heap& heap, Node& node) noexcept;
  template <class Ready>
  friend void complete(Node& node, Heap& heap, Ready ready) noexcept;

  plat::atomic<Edge*> successors_{nullptr};
  plat::atomic<uint64_t> awaited_{kRegistering};
  plat::atomic<uint32_t> references_{1};
  uint32_t listed_ = 0;  // by how many entries of the table; the generating thread's
  uint32_t pushed_ = 0;
  uint16_t exclusions_needed_ = 0, exclusions_entered_ = 0;
  Edge* edges_;  // the next free one
  Join** exclusions_;
  Edge* many_ = nullptr;  // where omp_all_memory's edges lie
  Node* next_ = nullptr;  // of those that wait for an exclusion, or are to be completed
};

// The members of a phase, as one; of a mutexinoutset it is their exclusion, too.
class Join : public Node {
 public:
  Join() noexcept : Node(nullptr, nullptr) {
    completes_itself = is_join = true;
    awaited_.store(1, std::memory_order_relaxed);  // I2: open
  }

  // By the generating thread, while it is open.
  void add(Node& member) noexcept {
    awaited_.fetch_add(1, std::memory_order_relaxed);
    Edge& edge = *member.edges_++;
    edge.to = this;
    if (!member.push(edge)) awaited_.fetch_sub(1, std::memory_order_relaxed);  // I2: not to 0
  }
  // All members so far are done. It is open.
  bool idle() const noexcept { return awaited_.load(std::memory_order_acquire) == 1; }  // N2
  // No member comes any more, and nobody waits for it yet.
  void end_phase() noexcept {
    if (take_off()) settle();
  }

  // Of a member that is ready but for this; false if another is in: then it waits here.
  bool enter(Node& member) noexcept {
    Node* in = inside_.load(std::memory_order_relaxed);
    for (;;) {
      if (in == nullptr) {
        if (inside_.compare_exchange_weak(in, this, std::memory_order_acquire,  // N4
                                          std::memory_order_relaxed))
          return true;
      } else {
        member.next_ = in;
        if (inside_.compare_exchange_weak(in, &member, std::memory_order_release,  // N4
                                          std::memory_order_relaxed))
          return false;
      }
    }
  }
  // Gives the one who is in now, or null. Only who is in takes waiting ones off, so the same one
  // cannot have left and come back in between.
  Node* leave() noexcept {
    Node* in = inside_.load(std::memory_order_acquire);  // N4
    for (;;) {
      Node* const next = in == this ? nullptr : in->next_;
      if (inside_.compare_exchange_weak(in, next, std::memory_order_acq_rel,  // N4
                                        std::memory_order_acquire))
        return in == this ? nullptr : in;
    }
  }

 private:
  friend class Table;
  void settle() noexcept {
    [[maybe_unused]] const Edge* successors = close();
    VICINO_CHECK(I2, successors == nullptr);
    references_.fetch_sub(1, std::memory_order_acq_rel);  // the table's is left
  }

  // Null, or who is next to be let in of those that wait, ending in the join itself.
  plat::atomic<Node*> inside_{nullptr};
};

inline bool Node::proceed() noexcept {
  for (; exclusions_entered_ < exclusions_needed_; ++exclusions_entered_)
    if (!exclusions_[exclusions_entered_]->enter(*this)) return false;  // I5
  return true;
}

// Memory of nodes: above what a heap gives it comes from the system.
void* take_node_memory(Heap& heap, size_t bytes, Heap::Origin& origin);
void give_node_memory(Heap& heap, void* memory, Heap::Origin origin) noexcept;

inline void free_node(Heap& heap, Node& node) noexcept {
  delete[] node.many_;
  give_node_memory(heap, &node, node.origin);
}

// The node's task is done. `ready(node)` is called for each that is ready by that; `heap`: of the
// calling thread. The caller's node may be gone after.
template <class Ready>
void complete(Node& node, Heap& heap, Ready ready) noexcept {
  Node* done = &node;
  node.next_ = nullptr;
  while (done != nullptr) {
    Node& now = *done;
    done = now.next_;
    const auto is_ready = [&](Node& other) {
      if (!other.completes_itself) return ready(other);
      other.next_ = done;
      done = &other;
    };
    Edge* edge = now.close();
    while (edge != nullptr) {
      Edge* const next = edge->next;  // I3
      Node& to = *edge->to;
      if (to.take_off() && to.proceed()) is_ready(to);
      edge = next;
    }
    while (now.exclusions_entered_ > 0) {
      Join& exclusion = *now.exclusions_[--now.exclusions_entered_];
      if (Node* next = exclusion.leave()) {
        ++next->exclusions_entered_;
        if (next->proceed()) is_ready(*next);
      }
      if (exclusion.drop()) free_node(heap, exclusion);
    }
    if (now.drop()) free_node(heap, now);
  }
}

// What the children of one task did with each address. By the thread that runs that task.
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  // All entries must have been dropped: clear().
  ~Table() = default;

  // How much room a node needs for these.
  static size_t edges_for(size_t dependences) noexcept { return 2 * dependences; }

  // Enters a node with its dependences: true if it is ready but for proceed(), see all_known().
  bool add(Node& node, std::span<const Dependence> dependences, Heap& heap);
  // As add() for a node that nobody will wait for, as it ends before its generating task goes on.
  // It excludes whom it should by waiting for all earlier ones.
  bool await(Node& node, std::span<const Dependence> dependences, Heap& heap);
  // Whether await() would have nothing to wait for.
  bool met(std::span<const Dependence> dependences) const noexcept;

  bool empty() const noexcept { return used_ == 0 && memory_ == nullptr; }

  // Forgets everything: the tasks are done, or no others will come.
  void clear(Heap& heap) noexcept;

  // Entries, those that are no longer needed included: for tests.
  size_t size() const noexcept { return used_; }
  size_t capacity() const noexcept { return entries_.size(); }

 private:
  static constexpr size_t kDirect = 2;  // members of a phase without a join
  struct Entry {
    const void* address;
    uint64_t met = 0;        // the number of the node that last met this
    Node* before = nullptr;  // what the phase waits for
    Node* members[kDirect]{};
    Access access = Access::kNone;  // of the phase; kNone: the entry is free
    Access wanted = Access::kNone;  // by the node that last met this
    uint8_t count = 0;              // of members; a join counts as one
    bool joined = false;
  };

  const Entry* find(const void* address) const noexcept;
  Entry* find(const void* address) noexcept;
  Entry& find_or_make(const void* address) noexcept;
  size_t place(const void* address) const noexcept;
  void reserve(size_t more, Heap& heap);
  void sweep(size_t capacity, Heap& heap);

  void list(Node& node) noexcept { ++node.listed_; }
  void unlist(Node*& node, Heap& heap) noexcept;
  bool idle(const Entry& entry) const noexcept;
  void enter(Entry& entry, Node& node, Heap& heap);
  void enter_all(Node& node, Heap& heap);
  void wait_for_members(Entry& entry, Node& node, Heap& heap) noexcept;
  void wait_for_before(Entry& entry, Node& node, Heap& heap) noexcept;
  void join_phase(Entry& entry, Node& node, Heap& heap);
  void end_phase(Entry& entry, Heap& heap);
  void forget(Entry& entry, Heap& heap) noexcept;
  Join& make_join(Entry& entry, Heap& heap);
  void close_join(Entry& entry) noexcept;

  std::vector<Entry> entries_;  // a power of two of them, or none
  size_t used_ = 0;
  uint64_t nodes_ = 0;
  Node* memory_ = nullptr;  // the last omp_all_memory: of what has no entry
  std::vector<Entry*> met_;
};

}  // namespace vicino::task
