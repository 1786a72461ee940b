// useful.hpp: how much of the time of their regions the threads worked for the program, for VICINO_REPORT.
//
// How    a tool of OMPT that only adds up, started where a report is asked for and no other tool watches. A thread's
//        clock runs while it is in its part of a region, and stands while it waits: at barriers, for tasks, in
//        reductions, for locks. Tasks that it runs while it waits count. At a region's end the thread that began it reads
//        what each thread of the team has.
// Tasks  A member of a team that comes to a taskloop, or spawns a task, begins an account, which lasts until it has waited
//        for the tasks: in a taskgroup, a taskwait or a barrier. All tasks that it spawns meanwhile, and those that these
//        spawn, belong to it, and so does what the member itself works meanwhile: small tasks are calls.
// Cost   without a report none: it is a tool like any other (ompt/tool.hpp).
// Not    told of each task: those that run as plain calls stay calls, for they are work of the thread that meets them.
// See    docs/reference/run.md, metric/efficiency.hpp
//
// Memory order: a thread writes its own sum of a region, relaxed.
//  (1) a thread's arrival at the barrier at the region's end, and the end of a task, after which it is counted as done,
//      both after the sum was written, pair with
//  (2) the end of that barrier at the thread that began the region, which then reads all sums.
// The sums of places are read and written under the Cold lock.
#pragma once

#include <cstdint>
#include <vector>

#include "metric/efficiency.hpp"
#include "ompt/records.hpp"
#include "team/icvs.hpp"

namespace vicino::event {

// The regions with the same code: compilers let several regions share a call. Or the loops that begin at one place, in
// regions of several threads and as far as the compiler makes a call: what their members lose at the next barrier because
// others have worked for longer. Or the taskloops or tasks whose account began at one place.
struct ConstructUse {
  ompt::Work kind = ompt::Work::kNone;  // of a loop, or kTaskloop or kTasks; kNone: regions
  const void* place = nullptr;          // of the call
  const void* code = nullptr;           // of regions; null: not known, of a team of one
  bool is_inner = false;                // regions inside of others
  uint64_t executions = 0, ns = 0;      // a loop's: of the members that worked for longest
  int team = 0;                         // the largest
  metric::Lost lost;                    // of a loop: useful and imbalance alone

  bool is_region() const noexcept { return kind == ompt::Work::kNone; }
  bool is_of_tasks() const noexcept {
    return kind == ompt::Work::kTaskloop || kind == ompt::Work::kTasks;
  }
};

struct Use {
  bool is_counted = false;
  std::vector<ConstructUse> constructs;  // regions, then loops, each the most time lost first
  int team = 0;                          // the largest of those that are not inside of others
  // Of the run. It has none if nobody can say whose time it would be: several threads of the program led regions, or
  // regions inside of others had threads of their own.
  bool is_known = false;
  metric::Lost lost;
};

[[gnu::cold]] Use use_of_threads();

// The tool begins and ends.
void begin_counting() noexcept;
void end_counting() noexcept;
// Whether this is the tool of the process.
bool is_counting() noexcept;

// Whether a tool watches that is to be told of each task, and of each member of a team. What only counts need not know
// of tasks that are calls, and sees that some members have not worked.
inline bool is_told_of_all(const team::Icvs& icvs) noexcept {
  return icvs.watched() && !is_counting();
}

// In a child of fork(), by its only thread, which holds the Cold lock.
void forget_use() noexcept;

}  // namespace vicino::event
