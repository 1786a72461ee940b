#include "tasking/left.hpp"

#include "tasking/serving.hpp"
#include "tasking/tasks.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::self;
namespace {

struct AtTheEnd {
  ~AtTheEnd() { run_left_tasks(); }
};

bool has_left_tasks() noexcept {
  return self != nullptr && self->team->parent == nullptr && self->tasks.epoch.has_tasks() &&
         self->tasks.standing.is_in_implicit();
}

}  // namespace

void run_before_the_end() noexcept {
  static thread_local AtTheEnd at_the_end;
  static_cast<void>(at_the_end);
}

void run_left_tasks() noexcept {
  if (!has_left_tasks()) return;
  run_dry(*self);
  await_agents(*self);
}

void run_ready_outside_regions() noexcept {
  if (has_left_tasks() && self->worker->budget.locks() == 0) run_ready(*self);
}

}  // namespace vicino::tasking
