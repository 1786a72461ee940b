// start_state.hpp: what a member keeps to decide how its tasks begin, and its team. All of it is
// tasking/start.hpp's.
#pragma once

#include <cstdint>

namespace vicino::tasking {
class Starts;
}

namespace vicino::team {

class StartState {
 public:
  // No task lies below the present one.
  void begin_region() noexcept { tiny_from_ = kNever; }

 private:
  friend class tasking::Starts;
  // While so many bare tasks are on top of each other, one of them is known to be tiny.
  static constexpr uint32_t kNever = UINT32_MAX;
  uint32_t tiny_from_ = kNever;
  uint32_t unasked_ = 0;        // tasks that a tiny one may still make without a question
  uint32_t untimed_ = 0;        // tiny calls since the last timed one
  uint32_t stocks_on_ = 0;      // for how many more tasks short ones are queued
  uint64_t stolen_before_ = 0;  // Deque::stolen() at the last one
  uint64_t stolen_asked_ = 0;   // Deque::stolen() when it last asked thieves
  uint64_t drawn_ = 0;          // how many numbers it has drawn for VICINO_TASK_CALLS
};

}  // namespace vicino::team
