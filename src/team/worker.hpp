// worker.hpp: the threads that Vicino knows: its own, and those of the program that use OpenMP.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "metric/counter.hpp"
#include "sync/gate.hpp"
#include "task/heap.hpp"
#include "team/counts.hpp"
#include "team/team.hpp"

namespace vicino::team {

struct TaskMemory {
  task::Heap records, others;
};

class Worker : public Resident {
 public:
  explicit Worker(int gtid);
  ~Worker();
  Worker(const Worker&) = delete;

  int gtid() const noexcept { return gtid_; }

  // How many tasks lie below the present one on this thread's stack.
  uint32_t tasks_below = 0;
  // Of the present task, if it is tied: no two that have begun and not ended share one, as long as
  // there are no more than 2^15 threads with 2^15 tasks each. Not 0.
  uint32_t task_number() const noexcept {
    return (static_cast<uint32_t>(gtid_ & 0x7FFF) << 15 | (tasks_below & 0x7FFF)) + 1;
  }

  // What this thread did; kept when it is gone.
  Counts& counts() noexcept { return *counts_; }

  // Memory for the records of the tasks that this thread generates, and for what else tasks need.
  // Apart, because a thief may look at a record that has gone, and at its parent: what it finds
  // there must always be records (task/README.md).
  task::Heap& records() noexcept { return memory_->records; }
  task::Heap& heap() noexcept { return memory_->others; }
  // This thread is about to rest.
  void flush_heaps() noexcept {
    records().flush();
    heap().flush();
  }

  // A team of one, for a region that is not active.
  Team& push_serial();
  void pop_serial() noexcept { --serial_depth_; }

  // The team that this thread leads at its present depth of active regions; kept from region to
  // region with its workers attached.
  Team& push_hot();
  void pop_hot() noexcept { --hot_depth_; }
  // Whether the team last pushed lies inside another active region.
  bool leads_inner_team() const noexcept { return initial == nullptr || hot_depth_ > 1; }

  // What waiting has learned about a place in the program.
  sync::Patience& patience(uint32_t site) noexcept { return patience_[site % kSites]; }

  // Runs this thread on a place; -1 leaves it where it is.
  void bind_to(int place) noexcept;

  // Of a program's thread: its sequential team; null for our own threads.
  std::unique_ptr<Team> initial;

  // For a thread of ours: which team to join, as which member. Opened by the one who assigns.
  sync::Gate assigned;
  struct {
    Team* team;
    int id;
    uint64_t seen;  // the last Mailbox::go that is not its business
    const sync::PatienceLimits* limits;
  } assignment{};
  uint64_t assignments = 0;

  // Of threadprivate variables, by the address of the original.
  std::unordered_map<void*, void*> copies;

  // What OMP_DISPLAY_AFFINITY last told of: the region's level and size. Its team's primary thread
  // writes it, as it does the Member.
  struct Shape {
    int level, size;
    bool operator==(const Shape&) const = default;
  } displayed{};

  // What the tuner has this thread count: see metering.hpp.
  metric::Counter* counter = nullptr;
  bool has_asked_for_counter = false;

  // After fork() in the child: no other thread exists any more, and no team but the initial one.
  void forget_teams();
  // Sends the workers of all its teams back to the pool.
  void dissolve_teams();

 private:
  static constexpr uint32_t kSites = 64;
  int gtid_;
  Counts* counts_;
  TaskMemory* memory_;  // outlives this: others may yet give blocks back
  int place_ = -1;
  size_t hot_depth_ = 0;
  std::vector<std::unique_ptr<Team>> hot_;
  size_t serial_depth_ = 0;
  std::vector<std::unique_ptr<Team>> serial_;  // the first serial_depth_ in use, the others spare
  sync::Patience patience_[kSites];
};

// The calling thread's state: one load away, since gcc's static loops ask for it each time.
extern thread_local constinit Member* self;

// Makes the calling thread, unknown so far, a root: an initial thread with a team of its own.
Member& become_root();

inline Member& me() noexcept {
  Member* member = self;
  return member != nullptr ? *member : become_root();
}

inline sync::Waiting Member::waiting() noexcept {
  return {worker->patience(team->site), *team->patience};
}

}  // namespace vicino::team
