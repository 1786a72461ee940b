// member.hpp: what each member of a team keeps.
//
// A Member is an implicit task: (team, thread number). Only its own thread uses its fields, except
// for those under "for the rest of the team".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "sync/barrier.hpp"
#include "team/icvs.hpp"
#include "team/loop_state.hpp"
#include "team/own_pages.hpp"
#include "team/task_state.hpp"
#include "topo/bind.hpp"

namespace vicino::team {

class Team;
class Worker;

// How the members' partial results are combined.
enum class Reduction : uint8_t { kNone, kCritical, kAtomic, kTree };

// How many constructs a member has met in the present region. Each count is also the number of the
// next construct of its kind.
struct ConstructCounts {
  uint64_t singles = 0, loops = 0;
  uint64_t worksharings = 0;  // names a loop that is cancelled: region/cancel.hpp
  uint64_t shared = 0;        // constructs with a block in construct_memory.hpp
};

// A num_threads clause that has the modifier strict, or a list.
struct NumThreads {
  int strict = 0;                 // how many threads the region has to get; 0: not strict
  bool fatal = false;             // the program ends if it gets fewer
  const char* message = nullptr;  // what the program says then, if not null
  std::vector<int> inner;         // of a list: what follows the first number
};

// Clauses of the next region, which the compiled code passes before the region begins.
struct PushedClauses {
  int threads = 0;  // num_threads; 0: none
  topo::Bind bind = topo::Bind::kFalse;
  bool has_bind = false;
  std::unique_ptr<NumThreads> num_threads;  // null: num_threads is one number, and not strict
  // Of the next teams region: num_teams with its lower bound, and thread_limit; 0: none.
  int least_teams = 0, most_teams = 0, thread_limit = 0;
};

// Gives a record to each of the member's tasks that have none. The layer `tasking` knows how; the first root sets it,
// before any task is.
using MakeRecords = void (*)(Member& member);
inline constinit MakeRecords make_records = nullptr;

// Where a member's thread may run.
struct Bound {
  int place = -1;  // its number in the place list; -1: it is not bound to places
  int spot = -1;   // its number in spots(); -1: it may run wherever the process may
};

struct alignas(kLinePair) Member : OnOwnPages {
  Member(Team& its_team, int number);
  ~Member();
  Member(const Member&) = delete;

  Team* team;
  Worker* worker = nullptr;
  int id;
  Bound bound;
  topo::Partition partition;  // place-partition-var
  Icvs* icvs = nullptr;       // the team's ICVs until this task changes one, then `own`
  uint64_t generation = 0;    // of the barrier that this member passed last
  ConstructCounts met;
  bool has_met = false;  // it leaves out the next barrier: reduction_barrier(), region/cancel.hpp
  PushedClauses pushed;
  Reduction reducing = Reduction::kNone;  // how the present reduction is done
  LoopState loop;
  Icvs own;
  TaskState tasks;

  // For the rest of the team.
  sync::BarrierFlags flags;
  sync::EventCount resume;  // as Mailbox::go, for a thread that the last region left out
  SleepState asleep;

  ompt::TaskRecord record;  // of the implicit task; in use while a tool watches

  // The present task. It gets a record if it has none.
  Task& task() noexcept {
    if (tasks.standing.is_bare()) [[unlikely]]
      make_records(*this);
    return tasks.standing.innermost();
  }

  Icvs& writable_icvs() noexcept {
    if (tasks.standing.is_bare()) [[unlikely]]
      make_records(*this);
    if (icvs != &own) own = *icvs;
    icvs = &own;
    return own;
  }
  sync::Waiting waiting() noexcept;

  // A new region begins for this member.
  void start(uint64_t number) noexcept;
};

// The node, as an index of domains, that a member is bound to; -1: it is not bound, or its place
// spans several nodes.
int bound_node(const Member& member) noexcept;
// The near domain (Machine::near_level()) that it is bound to; -1: it is not bound, or its place spans several
// nodes. A place of a whole node counts as its first near domain.
int bound_domain(const Member& member) noexcept;
// As bound_node(), for cores.
int bound_core(const Member& member) noexcept;

}  // namespace vicino::team
