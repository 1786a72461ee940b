#include "region/alone.hpp"

#include "config/settings.hpp"
#include "region/fork.hpp"
#include "site/metering.hpp"
#include "site/tuned_site.hpp"
#include "team/late_start.hpp"
#include "team/team_loops.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::kWatcher;
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
         parent.icvs->is_plain() && !somebody_chooses && sleeps_soon(parent) &&
         site::objective() == metric::Objective::kTime;
}

bool may_begin_alone(const Member& parent, const Request& request) noexcept {
  return request.on_demand && may_call_later(parent);
}

TunedPlan choose_alone(const void* function, int size) {
  site::TunedConstruct* const site = site::TunedConstruct::find(
      site::at({function, nullptr}), site::SiteKey::of_combined(static_cast<uint32_t>(size)));
  if (site == nullptr) return {};
  if (!site->wants_this()) return {nullptr, {}, 0, site->is_best_alone()};
  const tune::Begun begun = site->begin();
  return {site, begun, plat::now(), begun.choice.threads == 1};
}

bool begin_alone(Team& team, const Call& call, bool may_close) {
  if (team.awake != team.size || team.attached < team.size) return false;
  Member& primary = team.member(0);
  if (primary.met.singles != 0) team.singles.reset();
  const uint64_t number = primary.generation + 1;
  primary.start(number);
  team.late.call = call;
  team.late.may_close = may_close;
  team.special |= team::kBegunAlone;
  if (team.late.members.begin(number)) team.group_event(kWatcher).notify();
  return true;
}

bool end_alone(Team& team) {
  Member& primary = team.member(0);
  if (!team.late.may_close) {
    call_late_members(team);
    return false;
  }
  if (!team.late.members.close(primary.generation)) return false;
  // The other members have not entered the loops, and so will never leave their slots.
  for (uint64_t s = 0; s < std::min(primary.met.loops, loop::Ring::kSlots); ++s)
    team.loops().ring().slot(s).reset_after(0, static_cast<uint32_t>(team.size));
  return true;
}

}  // namespace vicino::region
