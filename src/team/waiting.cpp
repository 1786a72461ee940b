#include "team/waiting.hpp"

#include <unistd.h>

#include <algorithm>
#include <unordered_map>

#include "config/settings.hpp"
#include "plat/plat.hpp"
#include "team/cold.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// What the user says: for threads that have a core each, and for more threads than that.
struct Fixed {
  explicit constexpr Fixed(uint64_t ns)
      : own(sync::PatienceLimits::fixed(ns)), shared(sync::PatienceLimits::fixed(ns, true)) {}
  sync::PatienceLimits own, shared;
};
constexpr Fixed kAtOnce(0);
// Longer than any program runs, and far from overflow when a clock is added.
constexpr Fixed kNever(UINT64_MAX / 4);
// A core for each, and its time: as learned.
constexpr sync::PatienceLimits kLearned{};
// Under a quota threads run side by side until it is used up: what one polls away all lose. About
// as long as going to sleep and being woken takes.
constexpr uint64_t kThriftyNs = 5'000;
constexpr sync::PatienceLimits kThrifty = sync::PatienceLimits::fixed(kThriftyNs);
// Fewer cores than threads: the core goes from waiter to worker by a yield, which costs a fraction
// of a sleep and a wake-up. Only a thread to whom nobody takes it off pays for its polling.
constexpr sync::PatienceLimits kCrowded = sync::PatienceLimits::fixed(50'000, true);
constexpr sync::PatienceLimits kCrowdedThrifty = sync::PatienceLimits::fixed(kThriftyNs, true);

struct Machine {
  int cpus;
  double quota;
};
Machine read_machine() {
  const topo::Machine& machine = topo::Machine::here();
  auto cpus = static_cast<long>(machine.pus().size());
  if (machine.recorded()) cpus = std::min(cpus, sysconf(_SC_NPROCESSORS_ONLN));  // time is real
  return {static_cast<int>(cpus), machine.quota_cpus()};
}

// Teams keep pointers to limits, so none is ever freed; there is one for each value, since a
// program may change between a few of them at each region.
const Fixed* limits_of(uint64_t ns) {
  static auto& known = *new std::unordered_map<uint64_t, Fixed>;
  const Cold cold;
  return &known.try_emplace(ns, ns).first->second;
}

// The user's word, if there is one: then it holds in every situation.
const Fixed* read_fixed() {
  const config::Settings& s = config::settings();
  if (s.blocktime_ns == config::kForever) return &kNever;
  if (s.blocktime_ns) return limits_of(*s.blocktime_ns);
  if (s.wait_policy == config::WaitPolicy::kActive) return &kNever;
  if (s.wait_policy == config::WaitPolicy::kPassive) return &kAtOnce;
  return nullptr;
}

plat::atomic<const Fixed*>& fixed_limits() {
  static plat::atomic<const Fixed*> limits{read_fixed()};
  return limits;
}

}  // namespace

const sync::PatienceLimits& limits_for(int threads) noexcept {
  static const Machine machine = read_machine();
  if (const auto* fixed = fixed_limits().load(std::memory_order_acquire))
    return threads > machine.cpus ? fixed->shared : fixed->own;
  if (threads > machine.quota) return threads > machine.cpus ? kCrowdedThrifty : kThrifty;
  return threads > machine.cpus ? kCrowded : kLearned;
}

void set_blocktime(uint64_t ns) { fixed_limits().store(limits_of(ns), std::memory_order_release); }

std::optional<uint64_t> blocktime() noexcept {
  const auto* fixed = fixed_limits().load(std::memory_order_acquire);
  return fixed == nullptr ? std::nullopt : std::optional(fixed->own.most);
}

}  // namespace vicino::team
