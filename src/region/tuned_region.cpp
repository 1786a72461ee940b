#include "region/tuned_region.hpp"

#include <optional>
#include <utility>

#include "config/settings.hpp"
#include "metric/meter.hpp"
#include "region/fork.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

// What workers call in a counted region.
void run_counted(Member& member, const Call& /*its*/) {
  Team& team = *member.team;
  site::enter(*team.meter, static_cast<uint32_t>(member.id), member.worker->counter);
  team.counted.call.run(member, team.counted.call);
  leave_tuned_region(member);
}

}  // namespace

bool may_tune(const Member& parent, const Request& request) noexcept {
  const config::Settings& settings = config::settings();
  const bool allowed = parent.icvs->dynamic || settings.mold == config::Mold::kRegions;
  return allowed && settings.explore && request.threads == 0 && parent.team->active_level == 0;
}

TunedRegion choose_threads(const void* function, int most) {
  site::TunedConstruct* const site = site::TunedConstruct::find(
      site::at({function, nullptr}), site::SiteKey::of_region(static_cast<uint32_t>(most)));
  if (site == nullptr || !site->wants_this()) return {};
  return {site, site->begin(), plat::now()};
}

const Call& begin_tuned_region(Team& team, const TunedRegion& tuned, const Call& call) {
  team.tuned = tuned;
  site::start_meter(*team.meter, static_cast<uint32_t>(team.size));  // P1
  if (!team.meter->is_on()) return call;
  site::enter(*team.meter, 0, team.member(0).worker->counter);
  team.counted = {.call = call, .counting = call};
  team.counted.counting.run = run_counted;
  return team.counted.counting;
}

void leave_tuned_region(Member& member) {
  if (member.tasks.are_about()) return;  // P2
  site::leave(*member.team->meter, static_cast<uint32_t>(member.id), member.worker->counter);
}

// A region that was cancelled, or that could not have the threads chosen for it, is not recorded.
void end_tuned_region(Team& team) noexcept {
  const auto [site, begun, start, alone] = std::exchange(team.tuned, {});
  const bool cancelled = team.cancelled.region.load(std::memory_order_relaxed) != 0;
  const auto ns = static_cast<double>(plat::now() - start);
  std::optional<double> amount;
  if (team.meter->is_on()) amount = team.meter->total();
  const bool as_chosen =
      team.was_begun_alone() == alone && (alone || team.size == begun.choice.threads);
  if (cancelled || !as_chosen || (team.meter->is_on() && !amount)) return site->miss(begun);
  site->record(begun, ns, 1, {}, amount);
}

}  // namespace vicino::region
