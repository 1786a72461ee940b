// queue_kind.hpp: where a task that is ready to run waits.
#pragma once

#include <cstdint>

namespace vicino::task {

enum class QueueKind : uint8_t {
  kDeque,   // with the thread that made it ready
  kTeam,    // in one queue of the team, first come, first served
  kDomain,  // in the queue of a near domain: that of its data, or the next in turn
};

}  // namespace vicino::task
