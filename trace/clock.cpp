#include "clock.hpp"

#include <time.h>

namespace vicino::trace {

namespace {

uint64_t boot_time() noexcept {
  timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

void Converter::look() noexcept {
  before_ = last_;
  last_ = {ticks(), boot_time()};
  if (before_.ns == 0) {
    before_ = last_;
  } else if (last_.ticks > before_.ticks) {
    ns_per_tick_ = static_cast<double>(last_.ns - before_.ns) /
                   static_cast<double>(last_.ticks - before_.ticks);
  }
}

uint64_t Converter::ns(uint64_t ticks) const noexcept {
  const double since = static_cast<double>(static_cast<int64_t>(ticks - before_.ticks));
  const double ns = static_cast<double>(before_.ns) + since * ns_per_tick_;
  return ns > 0 ? static_cast<uint64_t>(ns) : 0;
}

}  // namespace vicino::trace
