// ilan.hpp: taskloops for which the tuner finds the number of threads, the nodes and the steal
// policy.
#pragma once

#include <cstdint>
#include <memory>

#include "team/task.hpp"

namespace vicino::site {
class LazySite;
class TunedConstruct;
}  // namespace vicino::site

namespace vicino::tasking {

using team::Member;
using team::Task;

class TaskPattern;
struct TaskloopRequest;

// The tuned site of the taskloop, if the tuner may now decide how it runs; else null.
site::TunedConstruct* ilan_site(Member& member, const TaskloopRequest& request,
                                site::LazySite& site);
// Gives the taskloop's tasks to the members that the tuner chooses. Some or all of them may have
// been run when this returns.
void give_to_crew(Member& member, site::TunedConstruct& site, std::unique_ptr<TaskPattern> pattern,
                  const TaskloopRequest& request);

}  // namespace vicino::tasking
