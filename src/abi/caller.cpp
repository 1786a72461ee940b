#include "abi/caller.hpp"

#include "event/start.hpp"
#include "region/roots.hpp"

// The linker's names for the beginning of this library, and for what follows its code.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start[], _DYNAMIC[];

namespace vicino::abi {
namespace {

// A function of the program that ends with a call of the runtime jumps there, and the runtime returns to what called the
// function: for a region's, to this library. The place in the program is not known then.
const void* in_program(const void* address) noexcept {
  return address >= __ehdr_start && address < _DYNAMIC ? nullptr : address;
}

}  // namespace

bool keep_caller(const void* address, void* frame) noexcept {
  if (!event::is_on()) return false;
  region::me();
  if (ompt::thread == nullptr || ompt::thread->task == nullptr)
    return false;  // the tool itself called OpenMP as it started
  ompt::thread->caller = {in_program(address), frame};
  ompt::thread->barrier = ompt::Sync::kNone;
  return true;
}

}  // namespace vicino::abi
