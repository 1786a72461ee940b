#include "base/ticks.hpp"

#include <time.h>

#include "base/file.hpp"

namespace vicino {

constinit bool detail::counter_is_clock = false;

uint64_t detail::ticks_of_system() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void choose_ticks() {
  detail::counter_is_clock =
      read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource") == "tsc\n";
}

}  // namespace vicino
