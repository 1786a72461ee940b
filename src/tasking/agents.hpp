// agents.hpp: the process's free agents: what those that show tasks to them (free_agents.cpp) and they themselves
// (serving.cpp) share.
#pragma once

#include <vector>

#include "base/first_made.hpp"
#include "task/free_agents.hpp"
#include "team/team.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// The Members live for ever: a thread that has ended the last child of a task that a free agent ran
// may still be about to wake that task's owner.
struct Agents {
  task::FreeAgents<Team> all;
  std::vector<Member*> spare;  // behind the lock of `all`
};

// Not destroyed at the process's end, when free agents may still run.
inline Agents& agents() noexcept {
  static constinit FirstMade<Agents> made;
  return made.get([] { return Agents(); });
}

inline bool is_for_agents(const Task* task) noexcept { return task->priority == Task::kForAgents; }

}  // namespace vicino::tasking
