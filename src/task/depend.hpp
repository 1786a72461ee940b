// depend.hpp: tasks in the order that their depend clauses ask for.
//
// Why    A task with dependences may start when its predecessors are done. The thread that
//        generates tasks knows what each address was last used for; the thread that finishes a task
//        knows only which tasks it has to tell.
// Cost   a task: a vertex, and over time a line or two of memory. Each of its dependences: one
//        look-up in a table that one thread uses, one compare-and-swap at the predecessor and, when
//        the predecessor is done, one decrement here. Nothing depends on how many tasks share an
//        address.
// Not    a graph that can be looked at: nothing is kept of tasks that are done.
//
// An address sees phases: a writer is one, and so are all the readers between two writers, or all
// tasks of a mutexinoutset or inoutset. A task that joins a phase waits for the phase before it. A
// phase of more than a few tasks has a join: a vertex without a task, which is done when these
// tasks are done and the phase is over. So the writer after a million readers waits for one vertex,
// and a reader that is done is forgotten.
//
// Invariants
//  I1 successors_ grows by the generating thread alone, and is closed once, by the thread that
//     completes the vertex. An edge that was pushed is taken by that closing; an edge that was
//     refused counts as done.
//  I2 awaited_ = edges pushed for the vertex and not yet taken off, + kRegistering until the last
//     of them is pushed (a join: + 1 while its phase is open). So it becomes 0 once, and the thread
//     that makes it 0 makes the vertex ready.
//  I3 edges lie in the memory of the vertex that waits or, towards a join, of the member. Either
//     vertex is needed until the edge has been taken off, and it is held until then (I4).
//  I4 a vertex lives while it is not complete, while the table lists it, and while a task or table
//     holds it: references_ counts these.
//  I5 a task that needs several exclusions enters them in the order of their addresses, keeps those
//     that it has entered, and is handed the next by the task that leaves it. No thread ever waits,
//     and tasks that wait for each other are in order, so there is no cycle.
//  I6 an extended vertex (extend()) is completed twice over: by its task's end, and by the gate of
//     its task's children. awaited_ counts these two, from when the task's own predecessors are
//     done, so the thread that makes it 0 again completes the vertex.
// Memory order
//  N1 closing successors_ is a release; it pairs with the acquire of a refused push and of done():
//     what the predecessor did is seen by the thread that finds it done.
//  N2 a decrement of awaited_ is a release, and an acquire by the thread that makes it 0: this
//     thread sees what all predecessors did, and publishes it with the task.
//  N3 an edge is published by the release of the push, and read after the acquire of the closing.
//  N4 leaving an exclusion is a release, entering one an acquire. A task that waits is published by
//     a release and handed on after an acquire.
//     (Of an extended vertex the end of its task leaves them, before its decrement, N2.)
//  N5 dropping a reference is a release, and an acquire by the thread that drops the last: what
//     other threads did with the vertex comes before its memory is freed. hold() is relaxed: the
//     vertex cannot go meanwhile, since another reference is held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/say.hpp"
#include "ompt/records.hpp"
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

// As depend(inout: omp_all_memory).
inline constexpr Dependence kAllMemory{nullptr, Access::kMemory};

class Vertex;
class Join;
class Gate;

struct Edge {
  Vertex* to;
  Edge* next;
};

class Vertex {
 public:
  // `edges`, `exclusions`: room for what its dependences need, in memory freed with the vertex.
  Vertex(Edge* edges, Join** exclusions) noexcept : edges_(edges), exclusions_(exclusions) {}
  Vertex(const Vertex&) = delete;

  // By the generating thread, before all_known(): this vertex waits for `predecessor`; false if
  // `predecessor` is done.
  bool wait_for(Vertex& predecessor) noexcept {
    const bool waits = wait_by(*edges_, predecessor);
    if (waits) ++edges_;
    return waits;
  }
  // As wait_for(), by this edge in place of one of the vertex's own.
  bool wait_by(Edge& edge, Vertex& predecessor) noexcept {
    edge.to = this;
    if (!predecessor.push(edge)) return false;
    ++pushed_;
    if (tell_order != nullptr) [[unlikely]]
      tell_order(predecessor, *this);
    return true;
  }
  // Makes separate room for its dependences, before the first of them is added. For a vertex that
  // was made before its dependences were known.
  void make_room(size_t dependences, size_t exclusions);

  // Its task runs only while no other task runs that needs `exclusion`. Called in the order of I5.
  void need(Join& exclusion) noexcept { exclusions_[exclusions_needed_++] = &exclusion; }
  // True if the vertex waits for nothing (any more): the caller goes on with proceed(). Otherwise
  // another thread will, and the caller must not touch the vertex.
  bool all_known() noexcept {
    const uint64_t gone = kRegistering - pushed_;
    if (pushed_ == 0) {
      awaited_.store(0, std::memory_order_relaxed);  // no other thread knows the vertex
      return true;
    }
    return awaited_.fetch_sub(gone, std::memory_order_acq_rel) == gone;  // N2, I2
  }

  // Enters its exclusions, when it waits for nothing else. False if it waits for one: the task that
  // leaves that exclusion will then go on with it.
  bool proceed() noexcept;

  bool done() const noexcept {
    return successors_.load(std::memory_order_acquire) == kClosed;  // N1
  }

  // For a thread that waits until the vertex is ready.
  static constexpr uint64_t kReady = ~uint64_t{0};
  const plat::atomic<uint64_t>& word() const noexcept { return awaited_; }
  void announce() noexcept { awaited_.store(kReady, std::memory_order_release); }  // N2

  void hold() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  // True if the reference was the last: the caller then frees the vertex.
  bool drop() noexcept {
    return references_.load(std::memory_order_acquire) == 1 ||        // N5; I4: none can be added
           references_.fetch_sub(1, std::memory_order_acq_rel) == 1;  // N5
  }

  // By the thread that has run the vertex's task, before the task's end is known to others: the
  // vertex will be done when the task has ended, and `gate` is done, too (I6). `gate` has not
  // begun. end_extended() takes the place of complete().
  void extend(Gate& gate) noexcept;
  bool is_extended() const noexcept { return is_extended_; }

  // A vertex without a task is done as soon as it is ready.
  bool completes_itself = false;
  bool is_join = false;
  Heap::Origin origin;
  // For a tool (OMPT): the task's record, and what is called when a vertex comes to wait for another. The
  // function is set before there are vertices, or never.
  ompt::TaskRecord* record = nullptr;
  using TellOrder = void (*)(const Vertex& first, const Vertex& second);
  static inline constinit TellOrder tell_order = nullptr;

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
  // One of the predecessors is done; true if it was the last.
  bool take_off() noexcept {
    return awaited_.fetch_sub(1, std::memory_order_acq_rel) == 1;  // N2
  }

  static inline Edge closed_;
  static constexpr Edge* kClosed = &closed_;

  friend class Join;
  friend class Table;
  friend void free_vertex(Heap& heap, Vertex& vertex) noexcept;
  template <class Ready>
  friend void leave_exclusions(Vertex& vertex, Heap& heap, const Ready& ready) noexcept;
  template <class Ready>
  friend void complete(Vertex& vertex, Heap& heap, Ready ready) noexcept;
  template <class Ready>
  friend void end_extended(Vertex& vertex, Heap& heap, Ready ready) noexcept;

  plat::atomic<Edge*> successors_{nullptr};
  plat::atomic<uint64_t> awaited_{kRegistering};
  plat::atomic<uint32_t> references_{1};
  uint32_t listed_ = 0;  // by how many entries of the table; used by the generating thread alone
  uint32_t pushed_ = 0;
  uint16_t exclusions_needed_ = 0, exclusions_entered_ = 0;
  bool is_extended_ = false;
  Edge* edges_;  // the next free one
  Join** exclusions_;
  Edge* many_ = nullptr;    // where omp_all_memory's edges lie
  Vertex* next_ = nullptr;  // in a list of vertices that wait for an exclusion or for completion
};

// The members of a phase as one vertex; for a mutexinoutset it is also their exclusion.
class Join : public Vertex {
 public:
  Join() noexcept : Vertex(nullptr, nullptr) {
    completes_itself = is_join = true;
    awaited_.store(1, std::memory_order_relaxed);  // I2: open
  }

  // By the generating thread, while the phase is open.
  void add(Vertex& member) noexcept {
    awaited_.fetch_add(1, std::memory_order_relaxed);
    Edge& edge = *member.edges_++;
    edge.to = this;
    if (!member.push(edge)) awaited_.fetch_sub(1, std::memory_order_relaxed);  // I2: not to 0
  }
  // Whether all members so far are done. While the phase is open.
  bool idle() const noexcept { return awaited_.load(std::memory_order_acquire) == 1; }  // N2
  // The phase is over: no member comes any more. No vertex waits for the join yet.
  void end_phase() noexcept {
    if (take_off()) settle();
  }

  // Called for a member that needs only this exclusion to be ready. False if another member is in:
  // then `member` waits here.
  bool enter(Vertex& member) noexcept {
    Vertex* in = inside_.load(std::memory_order_relaxed);
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
  // The member that is in leaves; returns the member that is in now, or null. Only the member that
  // is in takes waiting members off the list, so a waiting member cannot have left and come back
  // in between.
  Vertex* leave() noexcept {
    Vertex* in = inside_.load(std::memory_order_acquire);  // N4
    for (;;) {
      Vertex* const next = in == this ? nullptr : in->next_;
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
    references_.fetch_sub(1, std::memory_order_acq_rel);  // N5; the table's reference is left
  }

  // Null if no member is in; else the first of the list of waiting members, which ends in the join
  // itself.
  plat::atomic<Vertex*> inside_{nullptr};
};

// Some vertices of a table as one: done when they are. It has the edge by which another vertex
// waits for it, because that one may have no room.
class Gate : public Vertex {
 public:
  Gate() noexcept : Vertex(nullptr, nullptr) { completes_itself = true; }

 private:
  friend class Vertex;
  friend class Table;
  Edge out_;
  Edge room_[2];  // for absorb()
};

inline void Vertex::extend(Gate& gate) noexcept {
  completes_itself = is_extended_ = true;
  record = nullptr;
  awaited_.store(2, std::memory_order_relaxed);  // I6; N3: published with the edge
  gate.out_.to = this;
  [[maybe_unused]] const bool is_open = gate.push(gate.out_);
  VICINO_CHECK(I6, is_open);
}

inline bool Vertex::proceed() noexcept {
  for (; exclusions_entered_ < exclusions_needed_; ++exclusions_entered_)
    if (!exclusions_[exclusions_entered_]->enter(*this)) return false;  // I5
  return true;
}

// Memory of vertices. If it is more than a heap gives, it comes from the system.
void* take_vertex_memory(Heap& heap, size_t bytes, Heap::Origin& origin);
void give_vertex_memory(Heap& heap, void* memory, Heap::Origin origin) noexcept;

inline void free_vertex(Heap& heap, Vertex& vertex) noexcept {
  delete[] vertex.many_;
  give_vertex_memory(heap, &vertex, vertex.origin);
}

// Hands the vertex's exclusions on. `ready(other)` is called for each vertex that becomes ready.
template <class Ready>
[[gnu::always_inline]] inline void leave_exclusions(Vertex& vertex, Heap& heap,
                                                    const Ready& ready) noexcept {
  while (vertex.exclusions_entered_ > 0) {
    Join& exclusion = *vertex.exclusions_[--vertex.exclusions_entered_];
    if (Vertex* next = exclusion.leave()) {
      ++next->exclusions_entered_;
      if (next->proceed()) ready(*next);
    }
    if (exclusion.drop()) free_vertex(heap, exclusion);
  }
}

// The vertex's task is done. Calls `ready(other)` for each vertex that becomes ready because of it.
// `heap` is the calling thread's. `vertex` may be gone afterwards.
template <class Ready>
[[gnu::always_inline]] inline void complete(Vertex& vertex, Heap& heap, Ready ready) noexcept {
  Vertex* done = &vertex;
  vertex.next_ = nullptr;
  while (done != nullptr) {
    Vertex& now = *done;
    done = now.next_;
    const auto is_ready = [&](Vertex& other) {
      if (!other.completes_itself) return ready(other);
      other.next_ = done;
      done = &other;
    };
    Edge* edge = now.close();
    while (edge != nullptr) {
      Edge* const next = edge->next;  // I3
      Vertex& to = *edge->to;
      if (to.take_off() && to.proceed()) is_ready(to);
      edge = next;
    }
    leave_exclusions(now, heap, is_ready);
    if (now.drop()) free_vertex(heap, now);
  }
}

// The task of an extended vertex has ended. It leaves its exclusions now, since its children exclude
// nobody by them.
template <class Ready>
[[gnu::noinline]] void end_extended(Vertex& vertex, Heap& heap, Ready ready) noexcept {
  leave_exclusions(vertex, heap, ready);
  vertex.exclusions_needed_ = 0;
  if (vertex.take_off()) complete(vertex, heap, ready);
}

// What the children of one task did with each address. Used by the thread that runs that task.
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  // All entries must have been dropped: clear().
  ~Table() = default;

  // How many edges a vertex needs for so many dependences.
  static size_t edges_for(size_t dependences) noexcept { return 2 * dependences; }

  // Enters a vertex with its dependences. True if only proceed() is left to make it ready; see
  // all_known().
  bool add(Vertex& vertex, std::span<const Dependence> dependences, Heap& heap);
  // As add(), for a vertex that no later vertex will wait for, because it ends before its
  // generating task goes on. It needs no exclusion: it waits for all earlier members instead.
  bool await(Vertex& vertex, std::span<const Dependence> dependences, Heap& heap);
  // As add(), for a vertex that comes after all earlier ones, though later ones come after it only
  // by its dependences: the task of an importing task.
  template <class Ready>
  bool add_after_all(Vertex& vertex, std::span<const Dependence> dependences, Heap& heap,
                     Ready ready) {
    Gate& gate = make_gate(heap);
    const bool is_done = await(gate, {&kAllMemory, 1}, heap);
    gate.hold();
    if (is_done) complete(gate, heap, ready);
    // Not by an edge of the vertex's: add() may give it others.
    vertex.wait_by(gate.out_, gate);
    if (gate.drop()) free_vertex(heap, gate);
    return add(vertex, dependences, heap);
  }

  // The table's task, whose vertex this is, has ended: the vertex will be done when all that the
  // table lists are done, too. Nothing is done if they are.
  template <class Ready>
  void extend(Vertex& vertex, Heap& heap, Ready ready) {
    if (is_done()) return;
    Gate& gate = make_gate(heap);
    gate.hold();  // for the table
    list(gate);
    enter_all(gate, heap);
    Vertex* listed = &gate;
    vertex.extend(gate);
    const bool at_once = gate.all_known();
    unlist(listed, heap);
    if (at_once) complete(gate, heap, ready);
  }

  // The children of a child that has ended count as children of the table's task: `inner`, the
  // child's table, becomes empty. By the thread that uses both.
  template <class Ready>
  void absorb(Table& inner, Heap& heap, Ready ready) {
    if (inner.is_done()) return;
    outlives_wait = true;
    if (inner.memory_ != nullptr && !inner.memory_->done()) absorb_memory(inner, heap, ready);
    for (Entry& entry : inner.entries_) {
      if (entry.access == Access::kNone || inner.idle(entry)) continue;
      inner.end_phase(entry, heap);
      reserve(1, heap);
      Entry& mine = find_or_make(entry.address);
      end_phase(mine, heap);
      if (mine.before != nullptr && mine.before->done()) unlist(mine.before, heap);
      if (mine.before == nullptr)
        std::swap(mine.before, entry.before);
      else
        join_before(mine, entry, heap, ready);
      mine.access = Access::kOut;  // by no member; only `before` counts
    }
    inner.clear(heap);
  }

  // The children may be done, as a taskwait finds, though what is listed is not: an exporting
  // task's children, or what a child's table had.
  bool outlives_wait = false;

  // Whether all that is listed is done.
  bool is_done() const noexcept { return met({&kAllMemory, 1}); }

  // Whether await() would have nothing to wait for.
  bool met(std::span<const Dependence> dependences) const noexcept;

  bool empty() const noexcept { return used_ == 0 && memory_ == nullptr; }

  // Forgets all entries: the tasks are done, or no others will come.
  void clear(Heap& heap) noexcept;

  // The number of entries, including those that are no longer needed: for tests.
  size_t size() const noexcept { return used_; }
  size_t capacity() const noexcept { return entries_.size(); }

 private:
  static constexpr size_t kDirect = 2;  // members of a phase without a join
  struct Entry {
    const void* address;
    uint64_t met = 0;          // the number of the vertex that last named this address
    Vertex* before = nullptr;  // what the phase waits for
    Vertex* members[kDirect]{};
    Access access = Access::kNone;  // of the phase; kNone: the entry is free
    Access wanted = Access::kNone;  // by the vertex that last named this address
    uint8_t count = 0;              // of members; a join counts as one
    bool joined = false;
  };

  const Entry* find(const void* address) const noexcept;
  Entry* find(const void* address) noexcept;
  Entry& find_or_make(const void* address) noexcept;
  size_t place(const void* address) const noexcept;
  void reserve(size_t more, Heap& heap);
  void sweep(size_t capacity, Heap& heap);

  void list(Vertex& vertex) noexcept { ++vertex.listed_; }
  void unlist(Vertex*& vertex, Heap& heap) noexcept;
  bool idle(const Entry& entry) const noexcept;
  void enter(Entry& entry, Vertex& vertex, Heap& heap);
  void enter_all(Vertex& vertex, Heap& heap);
  void wait_for_members(Entry& entry, Vertex& vertex, Heap& heap) noexcept;
  void wait_for_before(Entry& entry, Vertex& vertex, Heap& heap) noexcept;
  void join_phase(Entry& entry, Vertex& vertex, Heap& heap);
  void end_phase(Entry& entry, Heap& heap);
  void forget(Entry& entry, Heap& heap) noexcept;
  Join& make_join(Entry& entry, Heap& heap);
  void close_join(Entry& entry) noexcept;
  static Gate& make_gate(Heap& heap);

  // absorb() for a vertex of omp_all_memory: a gate, which waits for it, takes such a vertex's
  // place.
  template <class Ready>
  void absorb_memory(Table& inner, Heap& heap, Ready ready) {
    Gate& gate = make_gate(heap);
    Edge* const room = gate.room_;
    gate.hold();  // for the table
    list(gate);
    enter_all(gate, heap);
    gate.edges_ = room;
    gate.wait_for(*inner.memory_);
    open(gate, heap, ready);
  }
  // `mine` comes to stand for what `other` stands for, too.
  template <class Ready>
  void join_before(Entry& mine, Entry& other, Heap& heap, Ready ready) {
    Gate& gate = make_gate(heap);
    gate.edges_ = gate.room_;
    gate.hold();  // for the table
    list(gate);
    gate.wait_for(*mine.before);
    gate.wait_for(*other.before);
    unlist(mine.before, heap);
    mine.before = &gate;
    list(gate);
    open(gate, heap, ready);
  }
  // All that the gate waits for is known. It has been listed once more than it is.
  template <class Ready>
  void open(Gate& gate, Heap& heap, Ready ready) {
    const bool at_once = gate.all_known();
    if (at_once) complete(gate, heap, ready);
    Vertex* listed = &gate;
    unlist(listed, heap);
  }

  std::vector<Entry> entries_;  // a power of two of them, or none
  size_t used_ = 0;
  uint64_t vertices_ = 0;
  Vertex* memory_ = nullptr;  // the last omp_all_memory: the predecessor of what has no entry
  std::vector<Entry*> met_;
};

}  // namespace vicino::task
