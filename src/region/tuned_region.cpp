#include "region/tuned_region.hpp"

#include <memory>
#include <optional>

#include "config/settings.hpp"
#include "region/request.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "team/worker.hpp"

namespace vicino::region {

// A region that is timed. Its team keeps it, for the next one.
struct TunedRegion {
  TunedPlan plan;
  site::Timing timing;
  Call call;      // the region's own
  Call counting;  // used if `timing` counts: calls `call`, and counts
};

namespace {

// What workers call in a counted region.
void run_counted(Member& member, const Call& /*its*/) {
  TunedRegion& tuned = *member.team->tuned;
  tuned.timing.enter(static_cast<uint32_t>(member.id), member.worker->counter);
  tuned.call.run(member, tuned.call);
  leave_tuned_region(member);
}

}  // namespace

bool may_tune(const Member& parent, const Request& request) noexcept {
  const config::Settings& settings = config::settings();
  const bool allowed = parent.icvs->dynamic || settings.mold == config::Mold::kRegions;
  return allowed && settings.explore && request.threads == 0 && parent.team->active_level == 0;
}

TunedPlan choose_threads(const void* function, int most) {
  site::TunedConstruct* const site = site::TunedConstruct::find(
      site::at({function, nullptr}), site::SiteKey::of_region(static_cast<uint32_t>(most)));
  if (site == nullptr || !site->wants_this()) return {};
  return {site, site->begin(), plat::now()};
}

const Call& begin_tuned_region(Team& team, const TunedPlan& plan, const Call& call) {
  if (team.tuned == nullptr) team.tuned = std::make_shared<TunedRegion>();
  TunedRegion& tuned = *team.tuned;
  tuned.plan = plan;
  team.at_end |= team::kTuned;
  tuned.timing.start(static_cast<uint32_t>(team.size), plan.start);  // P1
  if (!tuned.timing.counts()) return call;
  tuned.timing.enter(0, team.member(0).worker->counter);
  tuned.call = tuned.counting = call;
  tuned.counting.run = run_counted;
  return tuned.counting;
}

void leave_tuned_region(Member& member) {
  if (member.tasks.epoch.has_tasks()) return;  // P2
  member.team->tuned->timing.leave(static_cast<uint32_t>(member.id), member.worker->counter);
}

// A region that was cancelled, or that could not have the threads chosen for it, is not recorded.
void end_tuned_region(Team& team) noexcept {
  TunedRegion& tuned = *team.tuned;
  const auto& [site, begun, start] = tuned.plan;
  const bool cancelled = team.cancelled.region.load(std::memory_order_relaxed) != 0;
  const int threads = team.late.was_begun_alone() ? 1 : team.size;
  const bool says_nothing = cancelled || threads != begun.choice.threads;
  site->record(begun, says_nothing ? std::nullopt : tuned.timing.taken(1));
}

}  // namespace vicino::region
