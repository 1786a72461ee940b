// left.hpp: tasks that a thread has queued outside of any region, where no barrier follows.
//
// Why    Such a task is mostly a call. But it is queued if its thread holds a lock, which it may want, if others come
//        before it by their dependences, or if the stack is used up. OpenMP's implicit region around the whole
//        program ends with them: before what is local to the thread, or static, is destroyed, as far as it was
//        made before the first of them was queued.
#pragma once

#include "team/member.hpp"

namespace vicino::tasking {

// The calling thread has queued one: before it ends, or the process by its call of exit(), it will run what is left.
void run_before_the_end() noexcept;
// Runs what is left now.
void run_left_tasks() noexcept;
// Runs what may run now, and leaves what waits for others: the thread has fulfilled an event. Nothing while it holds a
// lock, which a task may want.
void run_ready_outside_regions() noexcept;

}  // namespace vicino::tasking
