#include "base/process_age.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/file.hpp"

namespace vicino {

// By the 22nd word of the process's line in /proc. The second word, in parentheses, may contain
// spaces.
double process_age() {
  const std::string line = read_file("/proc/self/stat");
  std::string_view rest = line;
  rest.remove_prefix(std::min(rest.size(), line.rfind(')') + 2));
  constexpr int kBefore = 19;
  for (int i = 0; i < kBefore; ++i) take_until(rest, ' ');
  const std::string_view word = take_until(rest, ' ');
  double ticks = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), ticks);
  timespec now{};
  if (error != std::errc() || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  return std::max(0.0, seconds - ticks / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace vicino
