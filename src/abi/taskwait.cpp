#include "abi/taskwait.hpp"

#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino {

int abi::wait_for_children() {
  team::Member& member = team::me();
  tasking::record_wait(member);
  tasking::wait_for_children(member);
  return 0;
}

void abi::end_taskgroup() {
  team::Member& member = team::me();
  tasking::end_group(member);
  tasking::record_wait(member);
}

}  // namespace vicino
