#include "region/tuned_run.hpp"

#include <utility>

#include "event/more.hpp"
#include "site/loop_record.hpp"
#include "site/tuned_site.hpp"
#include "team/slack.hpp"
#include "team/worker.hpp"

namespace vicino::region {

TunedRun::~TunedRun() { abandon(); }

void TunedRun::abandon() noexcept {
  if (site_ != nullptr) site_->abandon(std::exchange(begun_, {}));
}

void TunedRun::begin(site::TunedLoop& its_site, const Member& member, loop::Plan& plan) {
  abandon();  // U3
  site_ = &its_site;
  const team::Team& team = *member.team;
  const uint64_t now = its_site.key().several_domains ? plat::now() : 0;
  begun_ = its_site.begin({team.number, member.generation}, now, weighs_);
  const tune::Choice choice = begun_.choice;
  const loop::Selection& selection = site::tuned_schedules(its_site.key().kind)[choice.candidate];
  const auto members = static_cast<uint32_t>(choice.threads);
  plan_ = plan;
  plan_.members = members;
  plan_.lanes = plan.lanes.first(members);
  plan_.chunk = selection.chunk;
  plan_.values = selection.values;
  if (choice.threads == team.size) {
    plan_.shape = &team.arrangement().shape(team);
  } else {
    if (shape_members_ != choice.threads || shape_as_of_ != team.arrangement().changes()) {
      shape_.emplace(team.arrangement().shape_of_first(team, choice.threads));
      shape_members_ = choice.threads;
      shape_as_of_ = team.arrangement().changes();
    }
    plan_.shape = &*shape_;
  }
  row_ = &loop::fitting(*selection.row, plan_);
  site::LazySite its_call(its_site.site());
  site::remember(its_call, *row_, plan_);
  team::note_slack_taker(team, *row_, plan_);
  if (ompt::is_watched()) [[unlikely]]
    event::decided(its_site.site().address(), row_->name.data(), choice.threads);
  worked_.store(0, std::memory_order_relaxed);  // relaxed: the slot is not open yet (U1)
  latest_.store(0, std::memory_order_relaxed);
  cancelled_.store(false, std::memory_order_relaxed);
  timing_.start(members);
}

void TunedRun::count_from(const Member& member) noexcept {
  timing_.enter(static_cast<uint32_t>(member.id), member.worker->counter);
}

void TunedRun::count_to(const Member& member) noexcept {
  if (member.id < begun_.choice.threads)
    timing_.leave(static_cast<uint32_t>(member.id), member.worker->counter);
}

void TunedRun::end(const Member& member, bool cancelled) noexcept {
  if (cancelled) cancelled_.store(true, std::memory_order_relaxed);
  if (timing_.counts()) [[unlikely]]
    count_to(member);
  if (weighs_ && member.id < begun_.choice.threads) [[unlikely]]
    worked_.fetch_add(plat::now() - timing_.started(), std::memory_order_relaxed);
}

void TunedRun::record(const Member& member) noexcept {
  const site::TunedLoop::Generation generation{member.team->number, member.generation};
  const tune::Begun begun = begun_;
  begun_.lease = {};  // the site gives it back, perhaps when this slot is another loop's
  const uint64_t now = plat::now();
  std::optional<tune::Taken> taken;
  if (!cancelled_.load(std::memory_order_relaxed)) taken = timing_.taken(plan_.trip, now);
  if (taken && weighs_) [[unlikely]]
    taken->idle = idle(taken->ns);
  site_->record(generation, begun, taken, now);
}

void TunedRun::weigh_from() noexcept {
  const uint64_t late = plat::now() - timing_.started();
  worked_.fetch_sub(late, std::memory_order_relaxed);
  uint64_t seen = latest_.load(std::memory_order_relaxed);
  while (late > seen && !latest_.compare_exchange_weak(seen, late, std::memory_order_relaxed)) {
  }
}

// Computed as if all members had begun when the last one did, so an even loop has no idle time.
double TunedRun::idle(double ns) const noexcept {
  const auto worked = static_cast<double>(worked_.load(std::memory_order_relaxed));
  const auto latest = static_cast<double>(latest_.load(std::memory_order_relaxed));
  return 1 - (worked / begun_.choice.threads + latest) / ns;
}

}  // namespace vicino::region
