#include "team/waiting.hpp"

#include <cmath>

#include "config/settings.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

constexpr sync::PatienceLimits kAtOnce = sync::PatienceLimits::fixed(0);
// Longer than any program runs, and far from overflow when a clock is added.
constexpr sync::PatienceLimits kNever = sync::PatienceLimits::fixed(UINT64_MAX / 4);

struct Limits {
  sync::PatienceLimits alone;    // as many CPUs as threads
  sync::PatienceLimits crowded;  // fewer: who polls takes time from who works
  double cpus;
};

Limits read() {
  const config::Settings& s = config::settings();
  const topo::Machine& machine = topo::Machine::here();
  const double cpus = std::min(static_cast<double>(machine.pus().size()), machine.quota_cpus());
  if (s.blocktime_ns) {
    const auto asked =
        *s.blocktime_ns == config::kForever ? kNever : sync::PatienceLimits::fixed(*s.blocktime_ns);
    return {asked, asked, cpus};
  }
  if (s.wait_policy == config::WaitPolicy::kActive) return {kNever, kNever, cpus};
  if (s.wait_policy == config::WaitPolicy::kPassive) return {kAtOnce, kAtOnce, cpus};
  return {{}, kAtOnce, cpus};
}

}  // namespace

const sync::PatienceLimits& limits_for(int threads) noexcept {
  static const Limits limits = read();
  return threads > limits.cpus ? limits.crowded : limits.alone;
}

}  // namespace vicino::team
