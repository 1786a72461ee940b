#include "team/slack.hpp"

#include "loop/static_fraction.hpp"
#include "team/worker.hpp"

namespace vicino::team {

using loop::StaticFraction;

void detail::note_slack_taker(const Team& team, const loop::Row& row,
                              const loop::Plan& plan) noexcept {
  if (loop::has_fraction(row) && StaticFraction::setting_of(plan.values) == StaticFraction::kSlack)
    team.member(0).worker->slack_taker.store(plan.history.data(),
                                             std::memory_order_release);  // (1)
}

void add_slack(uint64_t ns) noexcept {
  if (self == nullptr) return;  // this thread has run no loop
  Worker& primary = *self->team->member(0).worker;
  if (plat::atomic<uint64_t>* words = primary.slack_taker.load(std::memory_order_acquire))  // (2)
    StaticFraction::waited({words, StaticFraction::kWords}, ns);
}

}  // namespace vicino::team
