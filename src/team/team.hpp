// team.hpp: a team of threads, and what each of its members keeps.
//
// A Member is an implicit task: (team, thread number). Its fields are its own thread's alone, but
// for the Post. A Team's fields are written by its primary thread between regions, or are atomics
// and gates. Where the two are handed over is in fork.cpp (F1, F2).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "loop/registry.hpp"
#include "loop/ring.hpp"
#include "sync/barrier.hpp"
#include "sync/handover.hpp"
#include "sync/lock.hpp"
#include "sync/single.hpp"
#include "task/deque.hpp"
#include "task/ledger.hpp"
#include "task/neighbours.hpp"
#include "task/shared.hpp"
#include "task/sleep.hpp"
#include "team/icvs.hpp"
#include "team/task.hpp"
#include "topo/binding.hpp"

namespace vicino::team {

class Team;
class Worker;
struct Member;

inline constexpr int kMaxTeam = sync::Go::kMaxSize;

// How the members' partial results become one.
enum class Reduction : uint8_t { kNone, kCritical, kAtomic, kTree };

// What the threads of a region run: the ABI's function and its arguments. Up to kInline arguments
// lie here, so that with the gate beside it a small region reaches a thread in one cache line;
// more are behind args[0].
struct Call {
  static constexpr int kInline = 4;
  void (*run)(Member& member, const Call& call);
  void* function;
  uint64_t count;
  void* args[kInline];
};

// Where the members of one cache group look for work.
struct alignas(kLine) Mailbox {
  sync::Gate go;  // holds a sync::Go
  Call call;
};
static_assert(sizeof(Mailbox) == kLine);

// The worksharing loop that a member is in.
struct LoopState {
  loop::Range (*next)(void* shared, loop::Cursor& cursor) noexcept = nullptr;
  void* shared = nullptr;
  loop::Cursor cursor;
  loop::Slot* slot = nullptr;  // null: the schedule shares nothing
  // For the ABI, to turn ranges into the user's bounds: value of iteration 0, step, trip count.
  uint64_t lower = 0, step = 0, trip = 0;
  uint64_t piece = 1, iterations = 0;  // in LLVM's simd loops `trip` counts pieces of iterations
  // Ordered regions: my chunk, the iteration I am at, whether the turn has come to my chunk.
  bool ordered = false, in_turn = false;
  loop::Range chunk;
  uint64_t at = 0;
};

struct alignas(kLinePair) Member {
  Member(Team& its_team, int number);
  Member(const Member&) = delete;

  Team* team;
  Worker* worker = nullptr;
  int id;
  int place = -1;                   // index into the place list; -1: not bound
  topo::Partition partition;        // place-partition-var
  Icvs* icvs = nullptr;             // the team's until this task changes one, then `own`
  uint64_t meeting = 0;             // number of the team's last meeting
  uint64_t singles = 0, loops = 0;  // constructs met in this region
  int pushed_threads = 0;           // num_threads and proc_bind clauses of the next region
  topo::Bind pushed_bind = topo::Bind::kFalse;
  bool has_pushed_bind = false;
  Reduction reducing = Reduction::kNone;  // how the reduction now under way is done
  LoopState loop;
  Icvs own;

  // Tasks: see tasks.cpp.
  Task implicit;
  Task* task = &implicit;          // the present one
  Task* tied = &implicit;          // what runs on top of it must descend from it; null at a barrier
  uint64_t floor = 0;              // of the deque: what lies below does not descend from `tied`
  task::Ledger* ledger = nullptr;  // of the present epoch; null between regions
  uint64_t epoch = 0;
  bool at_work = false;  // counted there
  int64_t balance = 0;   // spawned less finished since then
  task::Deque<Task> deque;
  std::unique_ptr<task::Neighbours> neighbours;  // by the team's arrangement of that number
  uint64_t neighbours_as_of = 0;

  // For the rest of the team.
  sync::Post post;
  sync::Gate resume;            // for a thread that sat out the last region: as Mailbox::go
  void* reduce_data = nullptr;  // published by `gathered`
  sync::Gate bell;              // where it sleeps when it waits for tasks of its own
  // While it sleeps, it would be woken for a task if that may run on top of `asleep_on`.
  task::Sleeper sleeper;
  plat::atomic<Task*> asleep_on{nullptr};

  Icvs& writable_icvs() noexcept {
    if (icvs != &own) own = *icvs;
    icvs = &own;
    return own;
  }
  sync::Waiting waiting() noexcept;

  // A new region begins for this member.
  void start(uint64_t number) noexcept;
  // From now on, and until the next barrier.
  void begin_epoch(task::Ledger& its_ledger) noexcept {
    ledger = &its_ledger;
    epoch = meeting;
  }
};

// The threads that descend from one thread of the program, counted only if there is a limit.
struct Contention {
  plat::atomic<int> threads{1};
};

class Team {
 public:
  explicit Team(Worker& primary);
  Team(const Team&) = delete;

  task::Sleeper& sleeper(int i) noexcept { return members_[static_cast<size_t>(i)]->sleeper; }
  sync::Post& post(int i) noexcept { return members_[static_cast<size_t>(i)]->post; }
  Member& member(int i) noexcept { return *members_[static_cast<size_t>(i)]; }
  int capacity() const noexcept { return static_cast<int>(members_.size()); }
  sync::Gate& group_gate(int i) noexcept { return mailbox(i).go; }
  sync::Gate& own_gate(int i) noexcept { return member(i).resume; }
  Mailbox& mailbox(int i) noexcept { return *mailbox_of_[static_cast<size_t>(i)]; }

  // Makes room for n members; between regions only.
  void reserve(int n);
  // Sets `announce`: whether one of the members last ran in a region of another shape, or is bound
  // in another way. After arrange(), before the region, and only if the team `displays`.
  void decide_announcement();
  // Binding and barrier layout for n members of a region that `from` meets; between regions only.
  void arrange(int n, topo::Bind bind, const Member& from);
  const sync::Layout& layout() const noexcept { return *layout_; }
  // How often arrange() has changed anything.
  uint64_t arrangements() const noexcept { return arrangements_; }
  std::span<loop::Lane> lanes(uint64_t slot, uint32_t members) noexcept {
    return {lanes_[slot % loop::Ring::kSlots].get(), members};
  }
  loop::Ring& ring() noexcept { return ring_; }

  // Set by the primary thread before each region.
  Member* parent = nullptr;
  int size = 1;
  int level = 0;
  int active_level = 0;
  Icvs icvs;
  Contention* contention = nullptr;
  const sync::PatienceLimits* patience = nullptr;
  uint32_t site = 0;  // of the region, for what waiting has learned
  int attached = 1;   // workers that listen to this team, and the primary thread
  int awake = 1;      // of these, the ones at the mailboxes; the rest wait at Member::resume
  bool serial = true;
  // OMP_DISPLAY_AFFINITY: members tell where they run, when that is new to one of them.
  const bool displays;
  bool announce = false;

  // Explicit tasks. An epoch lasts from one barrier to the next; ledgers take turns.
  alignas(kLine) task::Ledger ledgers[2];
  sync::Gate rest;  // where members sleep until the ledger is at rest; never opened, only nudged
  alignas(kLine) task::Sleepers sleepers;
  task::Shared<Task> shared_tasks;
  std::vector<std::unique_ptr<task::Shared<Task>>>
      node_tasks;  // by node; for schedulers with kNode
  plat::atomic<uint64_t> next_node{0};

  alignas(kLine) sync::SingleCount singles;
  // copyprivate: the gate's value is the number of the barrier to come.
  alignas(kLine) sync::Gate copy;
  void* copy_data = nullptr;

 private:
  struct Arrangement {
    int members;
    topo::Bind bind;
    topo::Partition partition;
    int primary_place;
    bool operator==(const Arrangement&) const = default;
  };
  void place_members(const Arrangement& wanted);
  const sync::Layout& layout_for(Arrangement shape);

  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::unique_ptr<Mailbox>> mailboxes_;
  std::vector<Mailbox*>
      mailbox_of_;  // by member: each region asks for all, and dividing takes longer
  std::unique_ptr<loop::Lane[]> lanes_[loop::Ring::kSlots];
  loop::Ring ring_;
  bool rearranged_ = false;  // by the last arrange()
  uint64_t arrangements_ = 0;
  int block_;  // members per mailbox
  Arrangement arranged_{0, topo::Bind::kFalse, {}, -1};
  const sync::Layout* layout_ = nullptr;
  std::vector<std::pair<Arrangement, std::unique_ptr<sync::Layout>>> layouts_;
};

}  // namespace vicino::team
