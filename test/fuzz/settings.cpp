// Settings: each line is a variable, NAME=value. Whatever they hold, the settings are usable, each warning is one
// plain line that names its variable, and the report of all settings can be made.
#include <algorithm>
#include <vector>

#include "config/table.hpp"
#include "target.hpp"

using namespace vicino;
using namespace vicino::config;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    std::erase(line, '\0');
    lines.push_back(std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void check(const Settings& settings) {
  for (int threads : settings.num_threads) MUST(threads >= 1);
  MUST(settings.max_active_levels >= 0);
  MUST(settings.thread_limit >= 1);
  MUST(settings.num_teams >= 0);
  MUST(settings.teams_thread_limit >= 0);
  MUST(settings.thread_step >= 0);
  MUST(settings.run_schedule.chunk >= 0);
  MUST(settings.max_task_priority >= 0);
  MUST(settings.default_device.value_or(0) >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<std::string> lines = lines_of(fuzz::text_of(data, size));
  std::vector<const char*> entries;
  for (const std::string& line : lines) entries.push_back(line.c_str());
  std::vector<std::string> warnings;
  const Settings settings = parse(Environment(entries), warnings);
  check(settings);
  for (const std::string& warning : warnings) MUST(fuzz::is_plain(warning));
  MUST(!display_env(settings, true).empty());
  return 0;
}
