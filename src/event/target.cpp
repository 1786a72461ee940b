#include "event/target.hpp"

#include <utility>

#include "event/inquiry.hpp"
#include "event/start.hpp"

namespace vicino::event {

using ompt::Event;

void Target::begin(ompt::Target kind, int device, bool nowait) noexcept {
  if (!is_on() || ompt::thread == nullptr) return;
  constexpr int kNowait = 8;
  ompt::ThreadRecord& thread = *ompt::thread;
  id_ = unique_id();
  around_ = std::exchange(thread.target, id_);
  task_ = thread.task;
  kind_ = static_cast<int>(kind) + (nowait ? kNowait : 0);
  device_ = device;
  caller_ = thread.caller.address;
  tell(ompt::Endpoint::kBegin);
}

void Target::end() noexcept {
  if (is_on()) tell(ompt::Endpoint::kEnd);
  ompt::thread->target = around_;
}

// A tool that has asked for both forms of the event gets the newer one. That names two tasks, the
// one that meets the construct and the one that runs it. Here both are the present one.
void Target::tell(ompt::Endpoint endpoint) noexcept {
  if (ompt::callback(Event::kTargetEmi) != nullptr)
    ompt::tell(Event::kTargetEmi, kind_, endpoint, device_, &task_->data, &task_->data, &data_,
               caller_);
  else
    ompt::tell(Event::kTarget, kind_, endpoint, device_, &task_->data, id_, caller_);
}

}  // namespace vicino::event
