#include "region/leaders.hpp"

#include <utility>

#include "team/waiting.hpp"

namespace vicino::region {
namespace {

constinit Leaders leaders;  // the process's
// A root among them.
struct Own {
  int root = Leaders::kNone;
  bool is_known = false;  // it has asked for a line
  uint64_t looked = 0;
  Leaders::Others others;
};
thread_local constinit Own own;

int root() noexcept {
  if (!std::exchange(own.is_known, true)) own.root = leaders.enter();
  return own.root;
}

}  // namespace

Leaders::Others other_leaders(uint64_t now) noexcept {
  constexpr uint64_t kLookNs = 1'000'000;  // a tenth of kRecentNs
  if (now >= own.looked + kLookNs) {
    own.others = leaders.others(root(), now);
    own.looked = now;
  }
  return own.others;
}

void begin_leading(int threads) noexcept { leaders.region_begins(root(), plat::now(), threads); }
void end_leading() noexcept { leaders.region_ends(own.root); }

const sync::PatienceLimits& limits_beside_others(int threads) noexcept {
  const int cpus = team::running_at_once();
  const int all = threads + other_leaders(plat::now()).threads_lately;
  return threads <= cpus && all > cpus ? team::limits_beside_teams() : team::limits_for(all);
}

void leave_leaders() noexcept {
  leaders.leave(own.root);
  own = {};
}
void forget_leaders() noexcept {
  leaders.forget();
  own = {};
}

}  // namespace vicino::region
