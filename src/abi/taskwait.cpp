#include "abi/taskwait.hpp"

#include "region/roots.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino {

int abi::wait_for_children() {
  team::Member& member = region::me();
  tasking::record_wait(member);
  tasking::wait_for_children(member);
  return 0;
}

void abi::end_taskgroup() {
  team::Member& member = region::me();
  tasking::end_group(member);
  tasking::record_wait(member);
}

}  // namespace vicino
