#include "site/advice.hpp"

#include <map>

#include "config/settings.hpp"
#include "site/region_counts.hpp"
#include "topo/machine.hpp"
#include "tune/explanation.hpp"

namespace vicino::site {
namespace {

// If regions are fewer or longer than this, the cost of further threads is lost among other costs.
constexpr uint64_t kOften = 100;
constexpr double kShortNs = 1e6;

struct Sum {
  uint64_t regions = 0, ns = 0;
  int threads = 0;
  double mean_ns() const { return static_cast<double>(ns) / static_cast<double>(regions); }
};

// The outermost regions that `is_meant` accepts, by the number of threads that they asked for.
template <class IsMeant>
std::map<int, Sum> by_asked(IsMeant is_meant) {
  std::map<int, Sum> sums;
  for (const RegionSum& region : region_sums()) {
    if (region.kind.inner || !is_meant(region.kind)) continue;
    Sum& sum = sums[region.kind.asked];
    sum.regions += region.regions;
    sum.ns += region.ns;
    sum.threads = region.kind.threads;
  }
  return sums;
}

int cpus() { return topo::Machine::here().default_team_size(); }

std::string on_cpus(int number) {
  return std::to_string(number) + (number == 1 ? " CPU" : " CPUs");
}

}  // namespace

std::vector<std::string> advice() {
  const config::Settings& settings = config::settings();
  std::vector<std::string> told;
  if (settings.dynamic || settings.lend || counted_regions() < kOften) return told;
  const bool molds = settings.mold == config::Mold::kRegions && settings.explore;
  const auto wide = by_asked([&](const RegionKind& kind) {
    return !kind.alone && kind.threads > cpus() && (kind.by_clause || !molds);
  });
  for (const auto& [asked, sum] : wide)
    if (sum.regions >= kOften && sum.mean_ns() < kShortNs)
      told.push_back(std::to_string(asked) + " threads were asked for on " + on_cpus(cpus()) +
                     " in " + std::to_string(sum.regions) + " regions of " +
                     tune::in_words(sum.mean_ns()) + ": OMP_DYNAMIC=true lets Vicino choose fewer");
  return told;
}

std::vector<std::string> narrowed_regions() {
  std::vector<std::string> told;
  if (counted_regions() == 0) return told;
  const auto narrowed = by_asked([](const RegionKind& kind) {
    return kind.by_clause && kind.asked > kind.threads && kind.threads == cpus();
  });
  for (const auto& [asked, sum] : narrowed)
    told.push_back(std::to_string(asked) + " threads were asked for in " +
                   std::to_string(sum.regions) + (sum.regions == 1 ? " region" : " regions") +
                   ", and " + std::to_string(sum.threads) + " were used, as there are " +
                   on_cpus(cpus()) + ": OMP_DYNAMIC allows that");
  return told;
}

}  // namespace vicino::site
