// Memory order: limits that set_blocktime() makes are read by other threads.
//  (1) the release that publishes them pairs with
//  (2) the acquire of limits_for() and blocktime().
#include "team/waiting.hpp"

#include <unistd.h>

#include <algorithm>
#include <unordered_map>

#include "base/first_made.hpp"
#include "config/settings.hpp"
#include "lend/lending.hpp"
#include "plat/lost_time.hpp"
#include "sync/cold.hpp"
#include "topo/allowance.hpp"

namespace vicino::team {
namespace {

// A length of polling that the user has set: for threads that have a core each, and for more
// threads than cores.
struct Fixed {
  explicit constexpr Fixed(uint64_t ns)
      : own(sync::PatienceLimits::fixed(ns)), shared(sync::PatienceLimits::fixed(ns, true)) {}
  sync::PatienceLimits own, shared;
};
constexpr Fixed kAtOnce(0);
// Longer than any program runs, and far from overflow when a clock is added.
constexpr Fixed kNever(UINT64_MAX / 4);
// Each thread has a core and all of its time: waiting is learned.
constexpr sync::PatienceLimits kLearned{};
// Between regions the program may do something else, on threads of another runtime.
constexpr sync::PatienceLimits kBetween{.heeds_others = true};
// Under a quota, threads run side by side until the quota is used up: all threads lose the time
// that one of them polls. The limit is about as long as going to sleep and being woken takes.
constexpr sync::PatienceLimits kThrifty = sync::PatienceLimits::fixed(5'000);
// With fewer cores than threads, a yield passes the core from a thread that waits to one that
// works, at a fraction of the cost of a sleep and a wake-up. A waiting thread pays for its polling
// only if no other thread takes the core; so it is under a quota, too.
constexpr sync::PatienceLimits kCrowded = sync::PatienceLimits::shared(50'000);

// A thread that polls on a borrowed core would keep the owner, or the next borrower, from it after the
// core was given back; and having been moved to the share, keep its own rank from that. So it sleeps
// soon, whatever the user has set.
constexpr sync::PatienceLimits kBorrowing{.least = 2'000, .first = 50'000, .most = 100'000};

struct Machine {
  int cpus;
  double quota;
};
Machine read_machine() {
  const topo::Allowance& allowed = topo::allowance();
  long cpus = allowed.cpus.count();
  // On a recorded machine, time is still that of the real CPUs.
  if (allowed.recorded) cpus = std::min(cpus, sysconf(_SC_NPROCESSORS_ONLN));
  plat::set_usable_cpus(static_cast<int>(cpus));
  const bool binds = allowed.quota_cpus < static_cast<double>(cpus);
  if (binds && !allowed.quota_group.empty()) plat::watch_quota(allowed.quota_group + "/cpu.stat");
  return {static_cast<int>(cpus), allowed.quota_cpus};
}

const Machine& machine_here() noexcept {
  static const Machine machine = read_machine();
  return machine;
}

// Teams keep pointers to limits, so limits are never freed. There is one object for each value,
// because a program may change between a few values at each region.
const Fixed* limits_of(uint64_t ns) {
  const sync::Cold cold;  // before the guard of `known`, which a child of fork() might find taken
  static auto& known = *new std::unordered_map<uint64_t, Fixed>;
  return &known.try_emplace(ns, ns).first->second;
}

// What the user has set, which then holds in every situation; null if nothing.
const Fixed* read_fixed() {
  const config::Settings& s = config::settings();
  if (s.blocktime_ns == config::kForever) return &kNever;
  if (s.blocktime_ns) return limits_of(*s.blocktime_ns);
  if (s.wait_policy == config::WaitPolicy::kActive) return &kNever;
  if (s.wait_policy == config::WaitPolicy::kPassive) return &kAtOnce;
  return nullptr;
}

plat::atomic<const Fixed*>& fixed_limits() {
  static constinit FirstMade<plat::atomic<const Fixed*>> limits;
  return limits.get([] { return plat::atomic<const Fixed*>(read_fixed()); });
}

}  // namespace

const sync::PatienceLimits& limits_for(int threads) noexcept {
  const Machine& machine = machine_here();
  if (const int lent = lend::extra(); lent > 0 && threads > machine.cpus) [[unlikely]]
    return threads > machine.cpus + lent ? kCrowded : kBorrowing;
  if (const auto* fixed = fixed_limits().load(std::memory_order_acquire))  // (2)
    return threads > machine.cpus ? fixed->shared : fixed->own;
  if (threads > machine.cpus) return kCrowded;
  return threads > machine.quota ? kThrifty : kLearned;
}

const sync::PatienceLimits& limits_beside_teams() noexcept {
  const auto* fixed = fixed_limits().load(std::memory_order_acquire);  // (2)
  return (fixed != nullptr ? *fixed : kAtOnce).shared;
}

const sync::PatienceLimits& limits_between_regions(const sync::PatienceLimits& in_region) noexcept {
  return &in_region == &kLearned ? kBetween : in_region;
}

int running_at_once() noexcept { return machine_here().cpus; }

void set_blocktime(uint64_t ns) {
  fixed_limits().store(limits_of(ns), std::memory_order_release);  // (1)
}

std::optional<uint64_t> blocktime() noexcept {
  const auto* fixed = fixed_limits().load(std::memory_order_acquire);  // (2)
  return fixed == nullptr ? std::nullopt : std::optional(fixed->own.most);
}

}  // namespace vicino::team
