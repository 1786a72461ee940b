#include "region/alone.hpp"

#include "config/settings.hpp"
#include "event/useful.hpp"
#include "region/request.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

// A watcher looks at the region only before it sleeps: one that polled for longer than its longest
// pause would look too late.
bool sleeps_soon(const Member& parent) noexcept {
  return parent.team->patience->most <= sync::LateStart::kLongest;
}

}  // namespace

bool may_call_later(const Member& parent) noexcept {
  const Team& team = *parent.team;
  const config::Settings& settings = config::settings();
  const bool somebody_chooses =
      team.options.has_rules || team.options.counts_loops || settings.vicino_schedule;
  return settings.explore && team.active_level == 0 && !team.options.displays &&
         !parent.icvs->cancellation() && !event::is_told_of_all(*parent.icvs) &&
         !somebody_chooses && sleeps_soon(parent) && site::objective() == metric::Objective::kTime;
}

bool may_begin_alone(const Member& parent, const Request& request) noexcept {
  return request.on_demand && may_call_later(parent);
}

TunedPlan choose_alone(const void* function, int size) {
  site::TunedConstruct* const site = site::TunedConstruct::find(
      site::at({function, nullptr}), site::SiteKey::of_combined(static_cast<uint32_t>(size)));
  if (site == nullptr) return {};
  if (!site->wants_this()) return {nullptr, {{0, site->is_best_alone() ? 1 : size}}};
  return {site, site->begin(), plat::now()};
}

}  // namespace vicino::region
