#include "region/room.hpp"

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

}  // namespace

int threads_with_room(const team::Member& parent, int wanted) noexcept {
  return is_for(parent) ? own_room.threads_of(wanted, plat::now(), Machine()) : wanted;
}

void had_threads(int threads) noexcept { own_room.had(threads); }
void forget_room() noexcept { own_room = {}; }

}  // namespace vicino::region
