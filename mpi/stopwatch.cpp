#include "stopwatch.hpp"

#include "base/file.hpp"

namespace vicino::pmpi {
namespace {

constexpr uint64_t kLeastNs = 1'000'000;  // reading the clock takes 20 ns: an error of 1 in 50 000

// The kernel's name for the counter.
#if defined(__x86_64__)
constexpr char kCounter[] = "tsc";
#elif defined(__aarch64__)
constexpr char kCounter[] = "arch_sys_counter";
#endif

constinit uint64_t first_ticks = 0, first_ns = 0;

bool counter_is_the_clock() {
  return read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource")
      .starts_with(kCounter);
}

}  // namespace

void begin_to_measure_ticks() noexcept {
  first_ns = plat::now();
  first_ticks = ticks();
}

void end_to_measure_ticks() noexcept {
  if (first_ns == 0 || !counter_is_the_clock()) return;
  uint64_t ns;
  do ns = plat::now() - first_ns;
  while (ns < kLeastNs);
  const uint64_t passed = ticks() - first_ticks;
  if (passed != 0) ns_per_tick = static_cast<double>(ns) / static_cast<double>(passed);
}

}  // namespace vicino::pmpi
