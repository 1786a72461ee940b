#include "region/room.hpp"

#include <limits.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/settings.hpp"
#include "region/leaders.hpp"
#include "site/code.hpp"
#include "site/known_modules.hpp"
#include "team/pool.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {
namespace {

using config::FewerThreads;

thread_local constinit Room own_room;

// As a root sees it: as many CPUs as are its part, where the other roots' threads do not count as ready.
struct Machine {
  Leaders::Others others;

  plat::ThreadTimes times() const noexcept { return plat::thread_times(); }
  uint64_t crowded_ns() const noexcept { return plat::crowded_ns(); }
  std::optional<plat::Load> load() const noexcept {
    const std::optional<plat::Load> seen = plat::load();
    if (!seen || others.leading == 0) return seen;
    const int foreign = std::max(0, seen->ready - 1 - others.threads);
    return plat::Load{foreign + 1, foreign + Leaders::part_of(seen->cpus - foreign, others)};
  }
};

bool has_other_roots() noexcept { return team::Pool::get().roots() > 1; }

// On a recorded machine a team has more threads than there are CPUs, and waits for itself.
bool is_for(const team::Member& parent) noexcept {
  const team::Icvs& icvs = *parent.icvs;
  return parent.team->active_level == 0 && !topo::to_places(icvs.bind) && !icvs.lends &&
         !topo::allowance().recorded;
}

Leaders::Others others(uint64_t now) noexcept {
  return has_other_roots() ? other_leaders(now) : Leaders::Others();
}
int part_beside(Leaders::Others others) noexcept {
  return others.leading == 0 ? INT_MAX
                             : Leaders::part_of(topo::allowance().default_team_size(), others);
}

int threads_by_room(const team::Member& parent, int wanted) noexcept {
  if (!is_for(parent)) return wanted;
  const topo::Allowance& allowed = topo::allowance();
  const uint64_t now = plat::now();
  const Machine machine{others(now)};
  wanted = in_steps(wanted, part_beside(machine.others));
  if (wanted == 1 || allowed.quota_cpus < static_cast<double>(allowed.cpus.count())) return wanted;
  return own_room.threads_of(wanted, now, parent.icvs->dynamic, machine);
}

// What is known of regions that the thread has met. site::fewer_threads() takes a lock: where a program has two regions in
// turn it would be taken in each of them.
class MetRegions {
 public:
  FewerThreads fewer_threads(const void* function) noexcept {
    Met& met = met_[reinterpret_cast<uintptr_t>(function) / 16 % met_.size()];
    if (std::exchange(met.function, function) != function) met.its = site::fewer_threads(function);
    return met.its;
  }
  // Another library may lie where one was unloaded since the last call.
  void forget_unloaded() noexcept {
    const uint64_t unloaded = site::unloaded_objects();
    if (std::exchange(unloaded_, unloaded) != unloaded) met_ = {};
  }

 private:
  struct Met {
    const void* function;
    FewerThreads its;
  };
  std::array<Met, 16> met_{};
  uint64_t unloaded_ = 0;
};
thread_local constinit MetRegions met_regions;

FewerThreads known_of(const void* function) noexcept {
  return config::settings().known == config::Known::kOff ? FewerThreads::kUnknown
                                                         : met_regions.fewer_threads(function);
}

}  // namespace

bool needs_all_threads(const void* function) noexcept {
  return known_of(function) == FewerThreads::kForbidden;
}

bool may_have_fewer(const team::Member& parent, const void* function) noexcept {
  met_regions.forget_unloaded();
  const FewerThreads its = known_of(function);
  const bool is_asked_for = parent.icvs->dynamic || parent.icvs->lends;
  return its == FewerThreads::kAllowed || (its == FewerThreads::kUnknown && is_asked_for);
}

int threads_with_room(const team::Member& parent, const void* function, int wanted) noexcept {
  const bool is_known = known_of(function) == FewerThreads::kAllowed;
  if (!is_known && !parent.icvs->dynamic) return wanted;
  if (is_known) asks_for_known.store(true, std::memory_order_relaxed);
  const bool is_random = config::settings().known == config::Known::kRandom;
  const int threads = is_random ? 1 + static_cast<int>(plat::rnd() % static_cast<uint64_t>(wanted))
                                : threads_by_room(parent, wanted);
  if (threads == wanted || !may_have_fewer(parent, function)) return wanted;
  if (is_known) site::note_fewer_threads(function);
  return threads;
}

void had_threads(int threads) noexcept { own_room.had(threads); }
void forget_room() noexcept { own_room = {}; }

}  // namespace vicino::region
