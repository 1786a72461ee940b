#include "site/advice.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "config/settings.hpp"
#include "loop/static_fraction.hpp"
#include "plat/lost_time.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/known_modules.hpp"
#include "site/loop_record.hpp"
#include "topo/machine.hpp"
#include "topo/rank_share.hpp"
#include "tune/explanation.hpp"

namespace vicino::site {
namespace {

// If regions are fewer or longer than this, the cost of further threads is lost among other costs.
constexpr uint64_t kOften = 100;
constexpr double kShortNs = 1e6;
// A crowd is worth a word if it lasted for so long, and for so large a part of the time in regions.
constexpr double kCrowdNs = 1e8;
constexpr double kCrowded = 0.2;

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

// Regions that have several threads while other processes want the CPUs.
std::optional<std::string> crowded() {
  Sum sum;
  for (const auto& [asked, its] :
       by_asked([](const RegionKind& kind) {
         return kind.threads > 1 && !kind.leaves_room && !kind.needs_all;
       })) {
    sum.regions += its.regions;
    sum.ns += its.ns;
  }
  const auto lasted = static_cast<double>(plat::crowded_ns());
  if (sum.regions < kOften || lasted < std::max(kCrowdNs, kCrowded * static_cast<double>(sum.ns)))
    return {};
  return "other processes wanted the CPUs for " + tune::in_words(lasted) + ", and " +
         std::to_string(sum.regions) + " regions of several threads took " +
         tune::in_words(static_cast<double>(sum.ns)) +
         ": OMP_DYNAMIC=true lets Vicino leave CPUs to the others";
}

std::string percent(double part) {
  char text[16];
  snprintf(text, sizeof text, "%.0f %%", 100 * part);
  return text;
}

std::string fraction_of(const LoopRecord& record, const loop::StaticFraction::Told& told) {
  const topo::Ranks* const ranks = topo::ranks();
  return (ranks != nullptr ? "rank " + std::to_string(ranks->rank) + " here: " : std::string()) +
         percent(told.f) + " of " + describe(record.call()) + " was static at last (" +
         std::string(record.schedule()) + ",f=slack): " + percent(told.learned) + " by what its " +
         std::to_string(record.members()) + " threads allow, the rest because the process waited " +
         tune::in_words(static_cast<double>(told.slack_ns)) + " after an execution of " +
         tune::in_words(static_cast<double>(told.ideal_ns));
}

}  // namespace

std::vector<std::string> advice() {
  const config::Settings& settings = config::settings();
  std::vector<std::string> told;
  if (settings.dynamic || settings.lend || counted_regions() < kOften) return told;
  const bool molds = settings.mold == config::Mold::kRegions && settings.explore;
  const auto wide = by_asked([&](const RegionKind& kind) {
    return !kind.alone && !kind.needs_all && kind.threads > cpus() && (kind.by_clause || !molds);
  });
  for (const auto& [asked, sum] : wide)
    if (sum.regions >= kOften && sum.mean_ns() < kShortNs)
      told.push_back(std::to_string(asked) + " threads were asked for on " + on_cpus(cpus()) +
                     " in " + std::to_string(sum.regions) + " regions of " +
                     tune::in_words(sum.mean_ns()) + ": OMP_DYNAMIC=true lets Vicino choose fewer");
  if (const auto its = crowded()) told.push_back(*its);
  return told;
}

std::vector<std::string> narrowed_regions() {
  std::vector<std::string> told;
  if (counted_regions() == 0) return told;
  const std::string known = modules_with_fewer();
  const auto asked_in = [](int asked, uint64_t regions) {
    return std::to_string(asked) + " threads were asked for in " + std::to_string(regions) +
           (regions == 1 ? " region" : " regions");
  };
  for (const auto& [asked, sum] : by_asked([](const RegionKind& kind) {
         return kind.by_clause && kind.asked > kind.threads && kind.threads == cpus() &&
                !kind.leaves_room;
       }))
    told.push_back(asked_in(asked, sum.regions) + ", and " + std::to_string(sum.threads) +
                   " were used, as there are " + on_cpus(cpus()) + ": OMP_DYNAMIC allows that");
  for (const auto& [asked, sum] : by_asked([](const RegionKind& kind) { return kind.leaves_room; }))
    told.push_back(asked_in(asked, sum.regions) +
                   ", and fewer were used, as other processes wanted the CPUs: " +
                   (known.empty() ? "OMP_DYNAMIC" : "what is known of " + known) + " allows that");
  return told;
}

std::vector<std::string> fractions_by_slack() {
  std::vector<std::string> told;
  for (LoopRecord* record : LoopRecord::all()) {
    const loop::Row* const row = loop::find(record->schedule());
    if (row == nullptr || !loop::has_fraction(*row)) continue;
    const auto its = loop::StaticFraction::told(record->history());
    if (its.ideal_ns != 0) told.push_back(fraction_of(*record, its));
  }
  return told;
}

}  // namespace vicino::site
