// worker.hpp: the threads that Vicino knows: its own threads, and roots.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sync/event_count.hpp"
#include "task/heap.hpp"
#include "task/lengths.hpp"
#include "task/nesting.hpp"
#include "team/team.hpp"

namespace vicino {
class CpuSet;
}
namespace vicino::lend {
class Guest;
}
namespace vicino::metric {
class Counter;
}
namespace vicino::site {
struct Counts;
}

namespace vicino::team {

struct Inherited;
class NearThread;

// What binding has made of a thread's mask: the mask that it has now, and the one that it would have if
// Vicino had not bound it; both null if it was not bound, or has another mask than it was given. `now` alone
// is null on a borrowed core.
struct Narrowed {
  const CpuSet* now = nullptr;
  const CpuSet* otherwise = nullptr;
};

struct TaskMemory {
  task::Heap records, others;
};

// Whether a thread has much of its stack left.
class Stack {
 public:
  // Whether the calling thread, whose stack this is, has more than half of it left. False until
  // look() was called, and on a stack that the program has made itself.
  [[gnu::always_inline]] bool has_room() const noexcept { return pointer() - half_ < bytes_; }
  // Finds out where the calling thread's stack lies, once. Takes some microseconds, for a process's
  // first thread some tens. Where it cannot be found out, the stack counts as large.
  void look() noexcept;

 private:
  // The stack pointer; __builtin_frame_address() would make the caller keep a frame.
  [[gnu::always_inline]] static uintptr_t pointer() noexcept {
    uintptr_t at;
#if defined(__x86_64__)
    asm("mov %%rsp, %0" : "=r"(at));
#elif defined(__aarch64__)
    asm("mov %0, sp" : "=r"(at));
#else
    at = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#endif
    return at;
  }

  bool known_ = false;
  uintptr_t half_ = 0;   // the address in the middle
  uintptr_t bytes_ = 0;  // from there to the top
};

class Worker : public OnOwnPages {
 public:
  explicit Worker(int gtid);
  ~Worker();
  Worker(const Worker&) = delete;

  int gtid() const noexcept { return gtid_; }

  task::CallBudget budget;
  // The number of the present task, if it is tied. Tasks that have begun and not ended have
  // different numbers, as long as there are at most 2^15 threads with 2^15 tasks each. Never 0.
  uint32_t task_number() const noexcept {
    return (static_cast<uint32_t>(gtid_ & 0x7FFF) << 15 | budget.depth()) + 1;
  }

  // What this thread did. The counts are kept when the thread has ended.
  site::Counts& counts() noexcept { return *counts_; }

  // This thread's stack, and how long the tasks took that it ran.
  Stack stack;
  task::Lengths lengths;
  task::AskedLength asked_length;  // of tasks that this thread makes and thieves run

  // Memory for the records of the tasks that this thread generates, and for other things that tasks
  // need. The two are apart because a thief may read a record that was freed, and its parent: it
  // must always find records there (task/README.md).
  task::Heap& records() noexcept { return memory_->records; }
  task::Heap& heap() noexcept { return memory_->others; }
  // Called when this thread is about to sleep or has run out of work.
  void flush_heaps() noexcept {
    records().flush();
    heap().flush();
  }

  // A team of one, for a region that is not active.
  Team& push_serial();
  void pop_serial() noexcept { --serial_depth_; }

  // The team that this thread leads at its present depth of active regions. The team is kept from
  // region to region, with its workers attached.
  Team& push_hot();
  void pop_hot() noexcept { --hot_depth_; }
  // The team that push_hot() would return; null before the first time.
  Team* next_hot() noexcept {
    return hot_depth_ < hot_.size() ? hot_[hot_depth_].get() : nullptr;
  }
  // Whether the team pushed last lies inside another active region.
  bool leads_inner_team() const noexcept { return initial == nullptr || hot_depth_ > 1; }

  // What waiting has learned at a place in the program.
  sync::Patience& patience(uint32_t site) noexcept { return patience_[site % kSites]; }

  // Binds this thread to a spot, a number of spots(); -1: to all CPUs of the process.
  void bind_to(int spot) noexcept {
    if (spot != spot_) change_spot(spot, range);
  }
  // Lets this thread run wherever the process may: until its next region, or until
  // restore_binding() is given what lift_binding() returned, which is -1 if the thread was not bound.
  void unbind() noexcept;
  int lift_binding() noexcept;
  // As unbind(), and a rank's thread leaves its share of the machine, too, until its next region:
  // for processes that go their own way.
  void let_go() noexcept;
  void restore_binding(int spot) noexcept;
  // As narrowed_mask(), of this thread, which calls it, and without a rank's share.
  Narrowed narrowed() const noexcept;
  // Where it is kept, if nobody has said how threads are bound; null before it was kept anywhere. The
  // primary thread of its team makes it, between regions, so that a new thread need not allocate.
  const NearThread* near() const noexcept { return near_.get(); }
  void make_near();
  // For a thread that is kept near its data: the spot with all CPUs of its team, whether they are
  // enough for the team's members, and the near domain of the team's first member. The team's primary
  // thread writes this between regions.
  struct Range {
    int all = -1;
    bool watches = false;
    int home = -1;
  } range;

  // For Vicino's own threads: where the thread begins, while others are still being started; a spot of -1:
  // anywhere. Written before the thread is started, and never again. `range` is written again if the system
  // refuses one of the others.
  struct {
    int spot = -1;
    Range range;
  } start;
  void go_to_start() noexcept {
    if (start.spot >= 0) change_spot(start.spot, start.range);
  }

  // For Vicino's own threads: which borrowed core the thread is on, if it is on one.
  const std::unique_ptr<lend::Guest> guest;

  // A root's sequential team; null for Vicino's own threads.
  std::unique_ptr<Team> initial;

  // For Vicino's own threads: which team to join, as which member. Pool::attach() writes
  // `assignment` and then advances `assigned` (pool.hpp).
  sync::EventCount assigned;
  struct {
    Team* team;
    int id;
    uint64_t seen;  // the last Mailbox::go that is not for this thread
    const sync::PatienceLimits* limits;
    bool is_agent;  // it joins no team, but is a free agent for a while
  } assignment{};
  uint64_t assignments = 0;

  // Of a root, or of the one that leads, directly or not, the team that this thread was last in. No two have the same
  // number; 0: it was in none. A thread that has served another root takes over what its new leader is like. Both are
  // written by Pool::attach(), with the assignment.
  uint64_t root = 0;
  std::unique_ptr<const Inherited> inherited;
  void take_over_inherited() noexcept;

  // This thread's copies of threadprivate variables, by the address of the original.
  std::unordered_map<void*, void*> copies;

  // The level and size of the region that OMP_DISPLAY_AFFINITY last told of. The primary thread of
  // the team writes it between regions.
  struct Shape {
    int level, size;
    bool operator==(const Shape&) const = default;
  } displayed{};

  // What the last loop remembers whose fraction depends on how long this thread waits for other
  // processes: slack.hpp. Null: there was none.
  plat::atomic<plat::atomic<uint64_t>*> slack_taker{nullptr};

  ompt::ThreadRecord record;  // in use while a tool watches

  // This thread's counter for the tuner: site/metering.hpp.
  std::optional<metric::Counter*> counter;

  // Called in a child of fork(), where no other thread exists: only the initial team stays.
  void forget_teams();
  // Sends the workers of all teams that this thread leads back to the pool ...
  void call_teams_off();
  // ... and destroys the teams, once no other thread can touch them: dissolve_teams() of
  // region/serve.hpp. Before, `f(team)` is called for each.
  template <class F>
  void drop_teams(F f) {
    for (auto& team : hot_) f(*team);
    for (size_t i = serial_depth_; i < serial_.size(); ++i) f(*serial_[i]);
    hot_.clear();
    serial_.resize(serial_depth_);
  }

 private:
  void change_spot(int spot, const Range& its_range) noexcept;

  static constexpr uint32_t kSites = 64;
  int gtid_;
  site::Counts* counts_;
  TaskMemory* memory_;  // outlives this: other threads may still give blocks back
  static constexpr int kOutside = -2;
  static constexpr int kGuest = 1 << 30;  // of lift_binding(), for a thread on a borrowed core
  // Stays -1 in a thread that is kept near its data. kOutside: the thread has left its rank's share.
  int spot_ = -1;
  bool has_been_bound_ = false;  // to a place
  std::unique_ptr<NearThread> near_;
  size_t hot_depth_ = 0;
  std::vector<std::unique_ptr<Team>> hot_;
  size_t serial_depth_ = 0;
  std::vector<std::unique_ptr<Team>> serial_;  // the first serial_depth_ are in use, others spare
  sync::Patience patience_[kSites];
};

// The calling thread's state. It is one load away, because gcc's static loops need it each time.
extern thread_local constinit Member* self;
// What binding, or a rank's share, has made of the calling thread's mask. It writes no memory and allocates
// nothing: a signal handler may ask, and a child of vfork().
Narrowed narrowed_mask() noexcept;
// How many locks the calling thread has taken and not given back before it became a root; then its
// Worker counts them.
extern thread_local constinit uint32_t early_locks;

inline sync::Waiting Member::waiting() noexcept {
  return {worker->patience(team->site), *team->patience};
}

}  // namespace vicino::team
