#include "abi/caller.hpp"

#include "event/start.hpp"
#include "region/roots.hpp"

namespace vicino::abi {

bool keep_caller(const void* address, void* frame) noexcept {
  if (!event::is_on()) return false;
  region::me();
  if (ompt::thread == nullptr || ompt::thread->task == nullptr)
    return false;  // the tool itself called OpenMP as it started
  ompt::thread->caller = {address, frame};
  ompt::thread->barrier = ompt::Sync::kNone;
  return true;
}

}  // namespace vicino::abi
