// serving.hpp: what a thread does as a free agent (free_agents.hpp has the memory orders E1 and E2).
#pragma once

#include "team/team.hpp"

namespace vicino::tasking {

using team::Member;
using team::Worker;

// What a thread of the pool does that was called up as a free agent.
void serve_as_agent(Worker& worker);
// The member, outside of all tasks, runs what is left and waits for the free agents in its team.
void await_agents(Member& member) noexcept;

}  // namespace vicino::tasking
