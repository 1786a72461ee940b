#include "ompt/tool.hpp"

namespace vicino::ompt {

constinit plat::atomic<uint32_t> watch{kUnknown};
thread_local constinit ThreadRecord* thread = nullptr;

namespace {

constinit plat::atomic<InterfaceFunction> callbacks[kEvents]{};

}  // namespace

InterfaceFunction callback(Event event) noexcept {
  return callbacks[static_cast<int>(event)].load(std::memory_order_acquire);
}
void set_callback(Event event, InterfaceFunction function) noexcept {
  callbacks[static_cast<int>(event)].store(function, std::memory_order_release);
}

}  // namespace vicino::ompt
