#include "ompt/tool.hpp"

namespace vicino::ompt {

constinit plat::atomic<uint32_t> watch{kUnknown};
constinit plat::atomic<bool> had_tool{false};
thread_local constinit ThreadRecord* thread = nullptr;

namespace {

constinit plat::atomic<InterfaceFunction> callbacks[kEvents]{};

void tell_asleep(bool begins) noexcept {
  tell(Event::kAsleep, begins ? Endpoint::kBegin : Endpoint::kEnd);
}

}  // namespace

InterfaceFunction callback(Event event) noexcept {
  return callbacks[static_cast<int>(event)].load(std::memory_order_acquire);
}
void set_callback(Event event, InterfaceFunction function) noexcept {
  callbacks[static_cast<int>(event)].store(function, std::memory_order_release);
  if (event == Event::kAsleep)
    plat::asleep.store(function != nullptr ? tell_asleep : nullptr, std::memory_order_relaxed);
}

}  // namespace vicino::ompt
