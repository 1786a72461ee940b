#include "team/mold.hpp"

#include <optional>
#include <utility>

#include "config/settings.hpp"
#include "team/fork.hpp"
#include "team/metering.hpp"
#include "team/tuned.hpp"

namespace vicino::team {
namespace {

// By workers.
void run_counted(Member& member, const Call& /*its*/) {
  Team& team = *member.team;
  enter(team.meter, static_cast<uint32_t>(member.id), *member.worker);
  team.counted.run(member, team.counted);
  leave_molded(member);
}

}  // namespace

bool may_mold(const Member& parent, const Request& request) noexcept {
  const config::Settings& settings = config::settings();
  const bool allowed = parent.icvs->dynamic || settings.mold == config::Mold::kRegions;
  return allowed && settings.explore && request.threads == 0 && parent.team->active_level == 0;
}

MoldedRegion mold(const void* function, int most) {
  TunedSite* const site =
      TunedSite::find({function, nullptr}, SiteKey::of_region(static_cast<uint32_t>(most)));
  if (site == nullptr || !site->wants_this()) return {};
  return {site, site->choose(), plat::now()};
}

Call begin_molded(Team& team, const MoldedRegion& molded, const Call& call) {
  team.molded = molded;
  start_meter(team.meter, static_cast<uint32_t>(team.size));  // P1
  if (!team.meter.is_on()) return call;
  enter(team.meter, 0, *team.member(0).worker);
  team.counted = call;
  Call counted = call;
  counted.run = run_counted;
  return counted;
}

void leave_molded(Member& member) {
  if (member.tasks_about()) return;  // P2
  leave(member.team->meter, static_cast<uint32_t>(member.id), *member.worker);
}

// A region that was cancelled, or that could not have the threads chosen for it, says nothing.
void end_molded(Team& team) noexcept {
  const auto [site, choice, start] = std::exchange(team.molded, {});
  const bool cancelled = team.cancelled_at.load(std::memory_order_relaxed) != 0;
  const auto ns = static_cast<double>(plat::now() - start);
  std::optional<double> amount;
  if (team.meter.is_on()) amount = team.meter.total();
  if (cancelled || team.size != choice.threads || (team.meter.is_on() && !amount))
    return site->miss();
  site->record(choice, ns, 1, {}, amount);
}

}  // namespace vicino::team
