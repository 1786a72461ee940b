// slack.hpp: the loop for which a wait for other processes counts.
//
// Why    A rank of an MPI program waits outside of its loops. A loop whose static part depends on
//        that (StaticFraction::kSlack) has to be found from there.
// How    The member that comes first to such a loop leaves word with the team's primary thread, which
//        is the thread that waits after the region. The last loop before a wait counts.
// Memory order: relaxed; the words are hints (loop/history.hpp), and they live as long as the process.
#pragma once

#include "loop/registry.hpp"
#include "loop/static_fraction.hpp"
#include "team/worker.hpp"

namespace vicino::team {

// Whether the fraction of the loop depends on slack.
inline bool takes_slack(const loop::Row& row, const loop::Values& values) noexcept {
  return !row.parameters.empty() && row.parameters[0].name == "f" &&
         values[0] == loop::StaticFraction::kSlack;
}

// `plan` has what its call site remembers. Called by one member of the team.
inline void note_slack_taker(const Team& team, const loop::Row& row,
                             const loop::Plan& plan) noexcept {
  if (takes_slack(row, plan.values) && !plan.history.empty())
    team.member(0).worker->slack_taker.store(plan.history.data(), std::memory_order_relaxed);
}

// The calling thread, or if it is in a region its team, waited for other processes.
inline void add_slack(uint64_t ns) noexcept {
  if (self == nullptr) return;  // this thread has run no loop
  Worker& primary = *self->team->member(0).worker;
  if (plat::atomic<uint64_t>* words = primary.slack_taker.load(std::memory_order_relaxed))
    loop::StaticFraction::waited({words, loop::StaticFraction::kWords}, ns);
}

}  // namespace vicino::team
