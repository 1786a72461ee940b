#include "base/out_of_memory.hpp"

#include <exception>
#include <new>

#include "base/say.hpp"

namespace vicino {
namespace {

std::terminate_handler otherwise;

[[noreturn]] void end_process() {
  if (std::current_exception()) try {
      throw;
    } catch (const std::bad_alloc&) {
      die("out of memory");
    } catch (...) {
    }
  otherwise();
  __builtin_unreachable();
}

}  // namespace

void say_when_out_of_memory() noexcept { otherwise = std::set_terminate(end_process); }

}  // namespace vicino
