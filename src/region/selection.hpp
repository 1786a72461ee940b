// selection.hpp: which schedule a worksharing loop gets.
//
// What says it, the first that does: a rule for the loop (config/rules.hpp); the program's own
// code, by an API of Vicino; VICINO_SCHEDULE, for loops that may have any; what the loop's clause
// or OMP_SCHEDULE names. Where nothing says it: for schedule(auto) the tuner of the call site
// chooses, or the schedule is static; it is ich where members may join on lent cores. A static loop
// that asks once gets blocks by VICINO_STATIC: equal, measured, or as the tuner says.
#pragma once

#include <algorithm>

#include "loop/schedule_kind.hpp"
#include "site/call_site.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::config {
struct Rule;
}
namespace vicino::loop {
struct Plan;
struct Row;
struct Selection;
}  // namespace vicino::loop
namespace vicino::site {
class LazySite;
class TunedLoop;
}  // namespace vicino::site

namespace vicino::region {

using team::Member;
using team::Team;

// In which order the loop's chunks may come to a member.
enum class Order : uint8_t {
  kAny,
  kAscending,  // as kMonotonic, but a rule or VICINO_SCHEDULE may change that
  kMonotonic,  // in the order of the loop
  kOrdered,    // so, and the loop has ordered regions
};

enum class SaidBy : uint8_t {
  kClause,
  kRuntime,  // run-sched-var, for schedule(runtime)
  kCode,     // the program calls an API of Vicino: only a rule for the loop changes what it says
};

// What the program asks of a loop's schedule.
struct Asked {
  loop::ScheduleKind kind = loop::ScheduleKind::kStatic;
  SaidBy by = SaidBy::kClause;
  Order order = Order::kAny;
  uint64_t chunk = 0;                      // 0: none given
  const loop::Selection* named = nullptr;  // of kNamed
  double fraction = -1;                    // the static one that the program gives; below 0: none
};

// What schedule(runtime) asks: run-sched-var of the member's task. With OMP_SCHEDULE unset that is
// kAuto, and Vicino chooses.
Asked asked_at_run_time(const Member& member) noexcept;

// What the program asks of a loop besides its bounds.
struct LoopRequest {
  enum class Form : uint8_t {
    kLlvmChunks,  // in code of LLVM's compilers
    kChunks,
    kBlock,     // LLVM's code asks once, and each member gets one block
    kSections,  // chunks are sections, which may wait for each other
    kDoacross,  // iterations wait for earlier ones: D3 of loop/doacross.hpp
    kLlvmDoacross,
  };

  Asked asked{};
  Form form = Form::kChunks;
  site::CallSite site = {};

  // Whether a chunk may wait for another; then none is claimed ahead.
  bool chunks_wait() const noexcept { return form >= Form::kSections; }
  bool in_order() const noexcept { return asked.order >= Order::kMonotonic; }
  bool is_block() const noexcept { return form == Form::kBlock; }
  // The runtime sees all static loops of LLVM's compilers, and few of gcc's: those of which OpenMP promises that
  // they are cut alike may be among the others.
  bool is_llvms() const noexcept {
    return form == Form::kLlvmChunks || form == Form::kBlock || form == Form::kLlvmDoacross;
  }

  void wait_for_earlier() noexcept {
    form = form == Form::kLlvmChunks ? Form::kLlvmDoacross : Form::kDoacross;
    asked.order = std::max(asked.order, Order::kMonotonic);
  }
};

// How a loop runs: as the tuner of its site says, or by a row of the registry.
struct Decision {
  site::TunedLoop* tuned = nullptr;
  const loop::Row* row = nullptr;
};

// The rule for the loop, or null. A rule that was asked for counts as one that has found its loop.
const config::Rule* rule_for(const LoopRequest& request, const Team& team,
                             site::LazySite& lazy) noexcept;

// Whether the loop is cut by loop/kind_cuts.hpp, in a team of several that is: a static loop without a
// chunk to which nothing else gives a schedule.
bool is_cut_by_kinds(const LoopRequest& request, const Team& team, site::LazySite& site) noexcept;

// For a team of several. `plan`, which has what the loop's clauses say, gets what the row needs.
Decision decide(Member& member, const LoopRequest& request, site::LazySite& site,
                loop::Plan& plan) noexcept;

}  // namespace vicino::region
