#include "bench_bystanders.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/file.hpp"
#include "topo/machine.hpp"

namespace vicino::cli {

Bystanders::Bystanders() : start_(now()) {}

Bystanders::Count Bystanders::now() {
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::istringstream line(read_file("/proc/stat"));
  std::string word;
  line >> word;
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
  for (double& each : ticks) line >> each;
  timespec wall{};
  clock_gettime(CLOCK_MONOTONIC, &wall);
  double own = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      own += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return {.wall = static_cast<double>(wall.tv_sec) + 1e-9 * static_cast<double>(wall.tv_nsec),
          .busy = tick * (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]),
          .stolen = tick * ticks[7],
          .own = own};
}

// The kernel charges a tick to whatever runs when it comes: two ticks mean nothing.
Bystanders::Shares Bystanders::until_now() const {
  const Count end = now();
  const double unsure = 2.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const double capacity =
      std::max(end.wall - start_.wall, 1e-9) * std::max(1, topo::Machine::here().online().count());
  const double others = (end.busy - start_.busy) - (end.own - start_.own) - unsure;
  return {.others = std::max(0.0, others) / capacity,
          .stolen = (end.stolen - start_.stolen) / capacity};
}

}  // namespace vicino::cli
