#include "team/mold.hpp"

#include <utility>

#include "config/settings.hpp"
#include "team/fork.hpp"
#include "team/tuned.hpp"

namespace vicino::team {

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

// A region that was cancelled, or that could not have the threads chosen for it, says nothing.
void end_molded(Team& team) noexcept {
  const auto [site, choice, start] = std::exchange(team.molded, {});
  const bool cancelled = team.cancelled_at.load(std::memory_order_relaxed) != 0;
  if (cancelled || team.size != choice.threads) return site->miss();
  site->record(choice, static_cast<double>(plat::now() - start), 1, {});
}

}  // namespace vicino::team
