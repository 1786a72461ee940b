#include "region/room.hpp"

#include "config/settings.hpp"
#include "region/leaders.hpp"
#include "site/known_modules.hpp"
#include "team/pool.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {
namespace {

thread_local constinit Room own_room;

constinit Leaders leaders;  // the process's
// A root among them.
struct Leading {
  int root = Leaders::kNone;
  bool is_known = false;  // it has asked for a line
  uint64_t looked = 0;
  Leaders::Others others;
};
thread_local constinit Leading own;

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

// On a recorded machine a team has more threads than there are CPUs, and waits for itself.
bool is_for(const team::Member& parent) noexcept {
  const team::Icvs& icvs = *parent.icvs;
  return parent.team->active_level == 0 && !topo::to_places(icvs.bind) && !icvs.lends &&
         !topo::allowance().recorded;
}

// The other roots that lead now.
Leaders::Others others(uint64_t now) noexcept {
  constexpr uint64_t kLookNs = 1'000'000;  // a tenth of a time slice or less
  if (team::Pool::get().roots() <= 1) return {};
  if (!std::exchange(own.is_known, true)) own.root = leaders.enter();
  if (now >= own.looked + kLookNs) {
    own.others = leaders.others(own.root, now);
    own.looked = now;
  }
  return own.others;
}

// The crowd is over, or there never was one: nobody asks until the next sign of one.
void stop_asking() noexcept {
  plat::crowd_seen.store([]() noexcept { asks_for_known.store(true, std::memory_order_relaxed); },
                         std::memory_order_relaxed);
  asks_for_known.store(false, std::memory_order_relaxed);
}

int threads_by_room(const team::Member& parent, int wanted) noexcept {
  if (!is_for(parent)) return wanted;
  const topo::Allowance& allowed = topo::allowance();
  const uint64_t now = plat::now();
  const Machine machine{others(now)};
  if (machine.others.leading > 0)
    wanted = in_steps(wanted, Leaders::part_of(allowed.default_team_size(), machine.others));
  if (wanted == 1 || allowed.quota_cpus < static_cast<double>(allowed.cpus.count())) return wanted;
  return own_room.threads_of(wanted, now, machine);
}

}  // namespace

int threads_with_room(const team::Member& parent, const void* function, int wanted) noexcept {
  if (parent.icvs->dynamic) return threads_by_room(parent, wanted);
  const config::Known setting = config::settings().known;
  const bool is_random = setting == config::Known::kRandom;
  const bool is_off = setting == config::Known::kOff;
  const bool is_alone = team::Pool::get().roots() <= 1;
  if (is_off || (!is_random && is_alone && own_room.is_whole() && !plat::is_crowded())) {
    stop_asking();
    return wanted;
  }
  if (!site::may_have_fewer_threads(function)) return wanted;
  const int threads = is_random ? 1 + static_cast<int>(plat::rnd() % static_cast<uint64_t>(wanted))
                                : threads_by_room(parent, wanted);
  if (threads < wanted) site::note_fewer_threads(function);
  return threads;
}

void had_threads(int threads) noexcept {
  own_room.had(threads);
  if (own.root != Leaders::kNone) leaders.region_begins(own.root, plat::now(), threads);
}
bool is_leading() noexcept { return own.root != Leaders::kNone; }
void region_with_room_ends() noexcept { leaders.region_ends(own.root); }

void leave_room_to_others() noexcept {
  leaders.leave(own.root);
  own = {};
}
void forget_room() noexcept {
  leaders.forget();
  own_room = {};
  own = {};
}

}  // namespace vicino::region
