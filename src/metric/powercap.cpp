// powercap.cpp: energy from /sys/class/powercap: one zone for each package, intel-rapl:0 (also for
// AMD's processors), and below it zones of its parts, intel-rapl:0:1.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/uncancelled.hpp"
#include "metric/energy.hpp"
#include "metric/number.hpp"

namespace vicino::metric {
namespace {

struct Zone {
  int file;        // its energy, in microjoules
  uint64_t range;  // after this the energy begins at 0 again
};

class Powercap : public Counter {
 public:
  explicit Powercap(std::vector<Zone> zones) : zones_(std::move(zones)) {}
  Powercap(const Powercap&) = delete;
  ~Powercap() override {
    const Uncancelled uncancelled;
    for (const Zone& zone : zones_) close(zone.file);
  }

  // Reads from the file's start each time, so that two threads, or a parent and its child, may read
  // at once.
  bool read(Sample& into) noexcept override {
    const Uncancelled uncancelled;
    into.resize(zones_.size());
    for (size_t i = 0; i < zones_.size(); ++i) {
      char text[32];
      const ssize_t got = pread(zones_[i].file, text, sizeof text, 0);
      const auto energy =
          number_in<uint64_t>({text, static_cast<size_t>(std::max<ssize_t>(got, 0))});
      if (!energy || *energy > zones_[i].range) return false;
      into[i] = *energy;
    }
    return true;
  }

  // A counter wraps at most once in a loop: one round takes many minutes.
  std::optional<double> between(const Sample& from, const Sample& to) const noexcept override {
    double sum = 0;
    for (size_t i = 0; i < zones_.size(); ++i)
      sum += static_cast<double>(to[i] >= from[i] ? to[i] - from[i]
                                                  : to[i] + (zones_[i].range - from[i]));
    return sum * 1e-6;
  }

 private:
  const std::vector<Zone> zones_;
};

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const opened = opendir(folder.c_str());
  if (opened == nullptr) return names;
  while (const dirent* entry = readdir(opened)) names.emplace_back(entry->d_name);
  closedir(opened);
  std::ranges::sort(names);
  return names;
}

bool is_counted(const std::string& zone, const std::string& folder) {
  if (!zone.starts_with("intel-rapl:")) return false;  // intel-rapl-mmio:0 shows the same package
  const bool part = zone.find(':', zone.find(':') + 1) != std::string::npos;
  return read_file(folder + "/name").starts_with(part ? "dram" : "package");
}

}  // namespace

Result<std::unique_ptr<Counter>> open_powercap(const std::string& root) {
  const Uncancelled uncancelled;
  const std::string folder = root + "/sys/class/powercap/";
  std::vector<Zone> zones;
  std::string refused;
  for (const std::string& name : names_in(folder)) {
    const std::string zone = folder + name;
    if (!is_counted(name, zone)) continue;
    const auto range = number_in<uint64_t>(read_file(zone + "/max_energy_range_uj"));
    const std::string path = zone + "/energy_uj";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      refused = path + ": " + strerror(errno);
      break;
    }
    zones.push_back({file, range.value_or(0)});
    if (!range) refused = zone + "/max_energy_range_uj: no number in it";
  }
  const bool none = zones.empty();
  auto counter = std::make_unique<Powercap>(std::move(zones));
  Sample trial;
  if (!refused.empty()) return Error{refused};
  if (none) return Error{folder + ": no zone intel-rapl of a package"};
  if (!counter->read(trial)) return Error{folder + ": energy_uj cannot be read"};
  return std::unique_ptr<Counter>(std::move(counter));
}

}  // namespace vicino::metric
