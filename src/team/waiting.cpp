#include "team/waiting.hpp"

#include "config/settings.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

constexpr sync::PatienceLimits kAtOnce = sync::PatienceLimits::fixed(0);
// Longer than any program runs, and far from overflow when a clock is added.
constexpr sync::PatienceLimits kNever = sync::PatienceLimits::fixed(UINT64_MAX / 4);

// Under a quota threads run side by side until it is used up: what one polls away all lose. About
// as long as going to sleep and being woken takes.
constexpr sync::PatienceLimits kThrifty = sync::PatienceLimits::fixed(5'000);

struct Limits {
  sync::PatienceLimits alone;    // a CPU, and the time on it, for each thread
  sync::PatienceLimits thrifty;  // a CPU for each, but not all of its time
  sync::PatienceLimits crowded;  // fewer CPUs than threads: who polls is in the way of who works
  int cpus;
  double quota;
};

Limits read() {
  const config::Settings& s = config::settings();
  const topo::Machine& machine = topo::Machine::here();
  const auto cpus = static_cast<int>(machine.pus().size());
  const double quota = machine.quota_cpus();
  if (s.blocktime_ns) {
    const auto asked =
        *s.blocktime_ns == config::kForever ? kNever : sync::PatienceLimits::fixed(*s.blocktime_ns);
    return {asked, asked, asked, cpus, quota};
  }
  if (s.wait_policy == config::WaitPolicy::kActive) return {kNever, kNever, kNever, cpus, quota};
  if (s.wait_policy == config::WaitPolicy::kPassive)
    return {kAtOnce, kAtOnce, kAtOnce, cpus, quota};
  return {{}, kThrifty, kAtOnce, cpus, quota};
}

}  // namespace

const sync::PatienceLimits& limits_for(int threads) noexcept {
  static const Limits limits = read();
  if (threads > limits.cpus) return limits.crowded;
  return threads > limits.quota ? limits.thrifty : limits.alone;
}

}  // namespace vicino::team
