// power_events.cpp: energy from perf's `power` unit. Its events count for a whole package; the file
// cpumask names one CPU of each package.
#include <cstddef>

#include "base/cpu_set.hpp"
#include "base/decimal.hpp"
#include "base/file.hpp"
#include "metric/energy.hpp"
#include "metric/number.hpp"
#include "metric/perf.hpp"

namespace vicino::metric {
namespace {

// Several counters as one: a sample holds their samples one after the other.
class Sum : public Counter {
 public:
  explicit Sum(std::vector<std::unique_ptr<Counter>> parts) : parts_(std::move(parts)) {}

  bool read(Sample& into) noexcept override {
    into.clear();
    Sample part;
    for (const auto& counter : parts_) {
      if (!counter->read(part)) return false;
      into.insert(into.end(), part.begin(), part.end());
    }
    return true;
  }

  // All parts have samples of one length: they count the same events, each in its package.
  std::optional<double> between(const Sample& from, const Sample& to) const noexcept override {
    const auto length = static_cast<std::ptrdiff_t>(from.size() / parts_.size());
    double sum = 0;
    for (size_t i = 0; i < parts_.size(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i) * length;
      const auto counted = parts_[i]->between({from.begin() + at, from.begin() + at + length},
                                              {to.begin() + at, to.begin() + at + length});
      if (!counted) return std::nullopt;
      sum += *counted;
    }
    return sum;
  }

 private:
  const std::vector<std::unique_ptr<Counter>> parts_;
};

// The file NAME holds event=0x02, and NAME.scale holds how many joules a count is.
std::optional<PerfEvent> event_in(const std::string& unit, const char* name) {
  constexpr std::string_view kBefore = "event=0x";
  const std::string path = unit + "/events/" + name;
  const std::string event = read_file(path), scale = read_file(path + ".scale");
  const auto type = number_in<uint32_t>(read_file(unit + "/type"));
  const auto joules = parse_decimal(std::string_view(scale).substr(0, scale.find('\n')));
  if (!event.starts_with(kBefore) || !type || !joules) return std::nullopt;
  const auto config = number_in<uint64_t>(std::string_view(event).substr(kBefore.size()), 16);
  if (!config) return std::nullopt;
  return PerfEvent{std::string("power/") + name + "/", *type, *config, *joules};
}

}  // namespace

Result<std::unique_ptr<Counter>> open_power_events(const std::string& root) {
  const std::string unit = root + "/sys/bus/event_source/devices/power";
  std::vector<PerfEvent> events;
  if (const auto package = event_in(unit, "energy-pkg")) events.push_back(*package);
  if (events.empty()) return Error{unit + ": no event energy-pkg"};
  if (const auto memory = event_in(unit, "energy-ram")) events.push_back(*memory);

  std::string cpus = read_file(unit + "/cpumask");
  if (cpus.ends_with('\n')) cpus.pop_back();
  const Result<CpuSet> set = CpuSet::parse_list(cpus);
  if (!set || set->empty()) return Error{unit + "/cpumask: '" + cpus + "' is no list of CPUs"};
  std::vector<std::unique_ptr<Counter>> parts;
  for (int cpu = set->first(); cpu >= 0; cpu = set->next(cpu)) {
    auto opened = open_perf(events, {.process = -1, .cpu = cpu});
    if (!opened) return Error{opened.error()};
    parts.push_back(*std::move(opened));
  }
  return std::unique_ptr<Counter>(new Sum(std::move(parts)));
}

}  // namespace vicino::metric
