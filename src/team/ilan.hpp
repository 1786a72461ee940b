// ilan.hpp: taskloops that find out how many threads, which nodes and which steal policy they want.
#pragma once

#include <cstdint>
#include <memory>

#include "team/taskloop.hpp"

namespace vicino::team {

// What is known of the taskloop, if it may be run as the tuner says now; else null.
TunedSite* ilan_site(const Member& member, const TaskloopRequest& request);
// Its tasks are given to the members that the tuner chooses. Some or all may have been run when
// this returns.
void give_to_crew(Member& member, TunedSite& site, std::unique_ptr<TaskPattern> pattern,
                  const TaskloopRequest& request);

// Of a task that was handed to a member (ready.hpp) and waits to be begun: whether nobody has come
// to where it would run for so long that one who waits for it takes it over.
bool is_late(const Task& runner) noexcept;
// How long that is, in ns.
inline constexpr uint64_t kLateNs = 1'000'000;

}  // namespace vicino::team
