#include "region/room.hpp"

#include "config/settings.hpp"
#include "site/known_modules.hpp"
#include "team/pool.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {
namespace {

thread_local constinit Room own_room;

struct Machine {
  plat::ThreadTimes times() const noexcept { return plat::thread_times(); }
  uint64_t crowded_ns() const noexcept { return plat::crowded_ns(); }
  std::optional<plat::Load> load() const noexcept { return plat::load(); }
};

// On a recorded machine a team has more threads than there are CPUs, and waits for itself.
bool is_for(const team::Member& parent) noexcept {
  const topo::Allowance& allowed = topo::allowance();
  const team::Icvs& icvs = *parent.icvs;
  return parent.team->active_level == 0 && !topo::to_places(icvs.bind) && !icvs.lends &&
         team::Pool::get().roots() <= 1 && !allowed.recorded &&
         allowed.quota_cpus >= static_cast<double>(allowed.cpus.count());
}

// The crowd is over, or there never was one: nobody asks until the next sign of one.
void stop_asking() noexcept {
  plat::crowd_seen.store([]() noexcept { asks_for_known.store(true, std::memory_order_relaxed); },
                         std::memory_order_relaxed);
  asks_for_known.store(false, std::memory_order_relaxed);
}

int threads_by_room(const team::Member& parent, int wanted) noexcept {
  return is_for(parent) ? own_room.threads_of(wanted, plat::now(), Machine()) : wanted;
}

}  // namespace

int threads_with_room(const team::Member& parent, const void* function, int wanted) noexcept {
  if (parent.icvs->dynamic) return threads_by_room(parent, wanted);
  const config::Known setting = config::settings().known;
  const bool is_random = setting == config::Known::kRandom;
  const bool is_off = setting == config::Known::kOff;
  if (is_off || (!is_random && own_room.is_whole() && !plat::is_crowded())) {
    stop_asking();
    return wanted;
  }
  if (!site::may_have_fewer_threads(function)) return wanted;
  const int threads = is_random ? 1 + static_cast<int>(plat::rnd() % static_cast<uint64_t>(wanted))
                                : threads_by_room(parent, wanted);
  if (threads < wanted) site::note_fewer_threads(function);
  return threads;
}

void had_threads(int threads) noexcept { own_room.had(threads); }
void forget_room() noexcept { own_room = {}; }

}  // namespace vicino::region
