// held_tasks.hpp: the tasks that a member has generated and holds back. The layer `tasking` uses it.
#pragma once

#include <vector>

#include "graph/repeats.hpp"
#include "team/task.hpp"

namespace vicino::team {

struct HeldTasks {
  graph::Follower follower;
  std::vector<Task*> tasks;  // those of its sequence so far, if they are held back
};

}  // namespace vicino::team
