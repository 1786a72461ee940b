#include "metric/perf.hpp"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.hpp"
#include "base/uncancelled.hpp"

namespace vicino::metric {
namespace {

constexpr uint64_t cache_event(uint64_t cache, uint64_t operation, uint64_t result) {
  return cache | operation << 8 | result << 16;
}

std::string why_refused(const std::string& name, int error) {
  std::string text = "perf_event_open of " + name + ": ";
  const bool absent = error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
  text += absent ? "there is no such counter here" : strerror(error);
  std::string paranoid = read_file("/proc/sys/kernel/perf_event_paranoid");
  std::string_view rest = paranoid;
  if (!rest.empty()) text += "; perf_event_paranoid is " + std::string(take_until(rest, '\n'));
  return text;
}

class PerfGroup : public Counter {
 public:
  PerfGroup(std::vector<int> files, std::vector<double> scales)
      : files_(std::move(files)), scales_(std::move(scales)) {}
  PerfGroup(const PerfGroup&) = delete;
  ~PerfGroup() override {
    const Uncancelled uncancelled;
    for (const int file : files_) close(file);
  }

  bool read(Sample& into) noexcept override {
    const Uncancelled uncancelled;
    into.resize(kHead + scales_.size());
    const auto size = static_cast<ssize_t>(into.size() * sizeof into[0]);
    ssize_t got;
    do got = ::read(files_[0], into.data(), static_cast<size_t>(size));
    while (got < 0 && errno == EINTR);
    return got == size && into[0] == scales_.size();
  }

  std::optional<double> between(const Sample& from, const Sample& to) const noexcept override {
    const auto enabled = static_cast<double>(to[1] - from[1]);
    const auto running = static_cast<double>(to[2] - from[2]);
    if (running == 0 && enabled > 0) return std::nullopt;
    double sum = 0;
    for (size_t i = 0; i < scales_.size(); ++i)
      sum += scales_[i] * static_cast<double>(to[kHead + i] - from[kHead + i]);
    return running == 0 ? sum : sum * (enabled / running);
  }

 private:
  static constexpr size_t kHead = 3;  // number of events, time enabled, time running
  const std::vector<int> files_;      // the group's leader first
  const std::vector<double> scales_;
};

int open_event(const PerfEvent& event, PerfTarget target, int leader) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  // A thread's counter counts only what the thread does outside the kernel, which needs the least
  // rights. A counter of a whole CPU cannot tell the difference, and refuses to.
  attributes.exclude_kernel = attributes.exclude_hv = target.process >= 0;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, target.process, target.cpu,
                                  leader, PERF_FLAG_FD_CLOEXEC));
}

class PerfSource : public Source {
 public:
  explicit PerfSource(std::vector<PerfEvent> events) : events_(std::move(events)) {}
  bool is_of_threads() const noexcept override { return true; }
  Result<std::unique_ptr<Counter>> open() const override { return open_perf(events_); }

 private:
  const std::vector<PerfEvent> events_;
};

PerfEvent cache_misses(const char* name, uint64_t cache, uint64_t operation) {
  return {name, PERF_TYPE_HW_CACHE, cache_event(cache, operation, PERF_COUNT_HW_CACHE_RESULT_MISS)};
}

// Groups of events, the best first.
std::vector<std::vector<PerfEvent>> groups_for(Objective objective) {
  constexpr auto kRead = PERF_COUNT_HW_CACHE_OP_READ, kWrite = PERF_COUNT_HW_CACHE_OP_WRITE;
  constexpr auto kLast = PERF_COUNT_HW_CACHE_LL, kNode = PERF_COUNT_HW_CACHE_NODE;
  switch (objective) {
    case Objective::kCycles:
      return {{{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}}};
    case Objective::kLlcMisses: {
      const PerfEvent loads = cache_misses("LLC-load-misses", kLast, kRead);
      return {{loads, cache_misses("LLC-store-misses", kLast, kWrite)},
              {loads},
              {{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}}};
    }
    case Objective::kNodeLoads:
      return {{{"node-loads", PERF_TYPE_HW_CACHE,
                cache_event(kNode, kRead, PERF_COUNT_HW_CACHE_RESULT_ACCESS)}}};
    case Objective::kNodeMisses: {
      const PerfEvent loads = cache_misses("node-load-misses", kNode, kRead);
      return {{loads, cache_misses("node-store-misses", kNode, kWrite)}, {loads}};
    }
    case Objective::kTime:
    case Objective::kEnergy:
      break;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Counter>> open_perf(const std::vector<PerfEvent>& events,
                                           PerfTarget target) {
  const Uncancelled uncancelled;
  std::vector<int> files;
  std::vector<double> scales;
  for (const PerfEvent& event : events) {
    const int file = open_event(event, target, files.empty() ? -1 : files[0]);
    if (file < 0) {
      const int error = errno;
      for (const int opened : files) close(opened);
      return Error{why_refused(event.name, error)};
    }
    files.push_back(file);
    scales.push_back(event.scale);
  }
  return std::unique_ptr<Counter>(new PerfGroup(std::move(files), std::move(scales)));
}

Result<std::unique_ptr<Source>> perf_source(std::vector<std::vector<PerfEvent>> groups) {
  std::string refused;
  for (auto& events : groups) {
    const auto trial = open_perf(events);
    if (trial) return std::unique_ptr<Source>(new PerfSource(std::move(events)));
    refused = trial.error();
  }
  return Error{refused};
}

Result<std::unique_ptr<Source>> perf_source(Objective objective) {
  return perf_source(groups_for(objective));
}

}  // namespace vicino::metric
