// tuned_run.hpp: one execution of a loop for which the tuner chooses schedule and number of
// threads.
//
// Why    All members must run an execution alike, but none of them knows the choice beforehand. The
//        first member to come asks the tuner and leaves the answer beside the loop's slot. The last
//        member to end tells the tuner the time, and what was counted where time is not the
//        objective (site/metering.hpp).
//
// Invariants
//  U1 the member that sets the slot up makes the slot's TunedRun, if the slot has none yet, and writes
//     it before the slot opens. No member sets it up again until all have left the slot (R1 and R2 of loop/ring.hpp).
//  U2 the last member to leave the slot records, before the slot becomes free. By then all members
//     have ended, and it sees what they counted and how long they took. An execution that was
//     cancelled is not recorded, nor one for which a count is missing, nor one that runs beside
//     another execution which is timed (tune/lease.hpp).
//  U3 members that have left a cancelled region do not come to its last loops, so nobody is the last
//     to leave these. Such an execution gives its lease back when the slot is set up
//     again, or when the team goes.
// Memory order: what a member counted is released when it leaves the slot, and acquired by the last
// one that does (R1 of loop/ring.hpp). `worked_`, `latest_` and `cancelled_` are relaxed: the last
// member reads them after that. A count of its own, of the members that have ended, was rejected: on
// 64 CPUs a word that all of them change takes as long as a short loop.
#pragma once

#include <optional>

#include "loop/plan.hpp"
#include "loop/registry.hpp"
#include "site/metering.hpp"

namespace vicino::site {
class TunedLoop;
}

namespace vicino::team {
struct Member;
}

namespace vicino::region {

using team::Member;

// One execution. The slots of a team's ring keep theirs: team/team_loops.hpp.
class TunedRun {
 public:
  TunedRun() = default;
  TunedRun(const TunedRun&) = delete;
  ~TunedRun();

  // Called by the member that sets the slot up. `plan` is the loop's plan for the whole team, with
  // its lanes.
  void begin(site::TunedLoop& site, const Member& member, loop::Plan& plan);

  // The schedule that was chosen, and its plan.
  const loop::Row& row() const noexcept { return *row_; }
  const loop::Plan& plan() const noexcept { return plan_; }

  // The part of a member that gets iterations begins.
  void enter(const Member& member) noexcept {
    if (weighs_) [[unlikely]]
      weigh_from();
    if (timing_.counts()) [[unlikely]]
      count_from(member);
  }
  // A member's part has ended.
  void end(const Member& member, bool cancelled) noexcept;
  // All parts have ended.
  void record(const Member& member) noexcept;

 private:
  void abandon() noexcept;
  void count_from(const Member& member) noexcept;
  void count_to(const Member& member) noexcept;
  void weigh_from() noexcept;
  // The fraction of the time in which members waited at the end for members that had more to do.
  // Called once all have ended.
  double idle(double ns) const noexcept;

  site::TunedLoop* site_ = nullptr;
  const loop::Row* row_ = nullptr;
  loop::Plan plan_;
  tune::Begun begun_;
  std::optional<loop::Shape> shape_;  // for fewer members than the team has
  int shape_members_ = 0;
  uint64_t shape_as_of_ = 0;
  site::Timing timing_;
  bool weighs_ = false;               // whether the members' times are measured
  plat::atomic<uint64_t> worked_{0};  // ns, summed over the members that have a part
  plat::atomic<uint64_t> latest_{0};  // ns from the start until the last of them began
  plat::atomic<bool> cancelled_{false};
};

}  // namespace vicino::region
