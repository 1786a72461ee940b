#include "lend/job.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/file.hpp"

namespace vicino::lend {
namespace {

// What /proc says of a process.
struct Process {
  std::string name;  // its first 15 characters
  int parent = 0;
  std::string since;  // in ticks since the machine began
};

Process read_process(int number) {
  const std::string line = read_file("/proc/" + std::to_string(number) + "/stat");
  // The second word, in parentheses, may contain spaces and parentheses.
  const std::size_t open = line.find('('), close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return {};
  Process process{line.substr(open + 1, close - open - 1), 0, {}};
  std::string_view rest = line;
  rest.remove_prefix(std::min(rest.size(), close + 2));
  take_until(rest, ' ');
  const std::string_view parent = take_until(rest, ' ');
  std::from_chars(parent.data(), parent.data() + parent.size(), process.parent);
  constexpr int kBetween = 17;  // from the 5th word to the 22nd
  for (int i = 0; i < kBetween; ++i) take_until(rest, ' ');
  process.since = take_until(rest, ' ');
  return process;
}

// The nearest ancestor with such a name: its number and when it began.
std::string ancestor(std::string_view name) {
  constexpr int kMost = 64;
  int number = getppid();
  for (int steps = 0; steps < kMost && number > 0; ++steps) {
    const Process process = read_process(number);
    if (process.name.starts_with(name)) return std::to_string(number) + " " + process.since;
    number = process.parent;
  }
  return {};
}

}  // namespace

std::string identity_of(const Job& job) {
  const std::string own =
      job.text.empty() && !job.starter.empty() ? ancestor(job.starter) : job.text;
  if (own.empty()) return {};
  // Another machine may have the same folder.
  return own + "\n" + read_file("/proc/sys/kernel/random/boot_id");
}

}  // namespace vicino::lend
