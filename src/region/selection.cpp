#include "region/selection.hpp"

#include "base/first_made.hpp"
#include "config/rules.hpp"
#include "config/settings.hpp"
#include "loop/registry.hpp"
#include "site/loop_record.hpp"
#include "site/tuned_site.hpp"

namespace vicino::region {
namespace {

constinit FirstMade<loop::Selection> ich, weighted;

// The schedule with its defaults, looked up once.
const loop::Selection& known(FirstMade<loop::Selection>& selection, const char* name) {
  return selection.get([name] { return loop::by_default(*loop::find(name)); });
}

config::StaticLoops static_loops() noexcept { return config::settings().static_loops; }

// Whether the loop itself says schedule(static).
bool is_fixed(const Asked& asked) noexcept {
  return asked.kind == loop::ScheduleKind::kStatic && asked.by != SaidBy::kRuntime;
}

bool gives_one_block(const loop::Selection& selection) noexcept {
  return (selection.row == loop::find("static") || selection.row == loop::find("weighted")) &&
         selection.chunk == 0;
}

// The schedule that a rule gives to the loop, if the loop can have it; else null. By the standard a
// static loop is monotonic without a modifier, too; but a rule for such a loop is meant to change
// just that.
const loop::Selection* ruled_for(const LoopRequest& request, const Team& team,
                                 site::LazySite& site) noexcept {
  const config::Rule* const rule = rule_for(request, team, site);
  if (rule == nullptr) return nullptr;
  const loop::Selection& wanted = rule->schedule;
  const bool in_order =
      request.asked.order >= (is_fixed(request.asked) ? Order::kOrdered : Order::kMonotonic);
  const char* const why = request.is_block() && !gives_one_block(wanted)
                              ? "it is static in the compiled code and asks once: it can be "
                                "static, or weighted, without "
                                "a chunk"
                          : in_order && !wanted.row->ordered ? "its chunks have to come in order"
                                                             : nullptr;
  if (why == nullptr) return &wanted;
  site.get()->rule.refuse(*rule, request.site, why);
  return nullptr;
}

// The schedule that the loop, VICINO_SCHEDULE or VICINO_STATIC names. VICINO_SCHEDULE does not change
// sections, nor schedule(static), whose assignment of iterations a program may rely on.
const loop::Selection* wish_for(const LoopRequest& request) noexcept {
  const Asked& asked = request.asked;
  if (asked.by == SaidBy::kCode) return asked.named;
  if (request.is_block())
    return static_loops() == config::StaticLoops::kMeasured ? &known(weighted, "weighted") : nullptr;
  const loop::Selection& everywhere = config::settings().vicino_schedule;
  const auto fits = [&](const loop::Selection& s) {
    return !request.in_order() || s.row->ordered;
  };
  if (everywhere && !is_fixed(asked) && !request.chunks_wait() && fits(everywhere))
    return &everywhere;
  return asked.named != nullptr && fits(*asked.named) ? asked.named : nullptr;
}

// The schedule by a rule or by a name; null if neither says anything of the loop.
const loop::Selection* selected_for(const LoopRequest& request, const Team& team,
                                    site::LazySite& site) noexcept {
  const loop::Selection* ruled = ruled_for(request, team, site);
  return ruled != nullptr ? ruled : wish_for(request);
}

// The schedule of a loop that a team shares; completes `plan` with what that schedule needs.
const loop::Row& schedule(const Asked& asked, const loop::Selection* wish, const Team& team,
                          loop::Plan& plan) noexcept {
  if (wish == nullptr) {
    const loop::Row& row = loop::choose(asked.kind, plan, asked.order != Order::kAny);
    if (row.asks_near) plan.shape = &team.arrangement().shape(team);
    return row;
  }
  if (wish != asked.named) plan.chunk = wish->chunk;
  plan.values = wish->values;
  plan.shape = &team.arrangement().shape(team);
  plan.fraction = asked.fraction;
  return loop::fitting(*wish->row, plan);
}

// The site of a loop for which the tuner chooses. Null for other loops, and for an execution that
// the tuner does not time.
site::TunedLoop* tuned_site(Member& member, const LoopRequest& request, site::LazySite& lazy) {
  const uint64_t trip = member.loop.bounds.trip;
  if (request.in_order() || trip == 0) return nullptr;
  const Team& team = *member.team;
  const auto kind = request.is_block() ? site::SiteKey::Kind::kStatic : site::SiteKey::Kind::kLoop;
  const bool several_nodes = !request.is_block() && team.arrangement().has_several_nodes();
  const auto key =
      site::SiteKey::of_loop(kind, static_cast<uint32_t>(team.size), trip, several_nodes)
          .at_level(team.active_level);
  auto* const site = member.loop.known.find<site::TunedLoop>(
      request.site.address, key, [&] { return site::TunedLoop::find(lazy.get(), key); });
  return site != nullptr && site->times({team.number, member.generation}) ? site : nullptr;
}

}  // namespace

const config::Rule* rule_for(const LoopRequest& request, const Team& team,
                             site::LazySite& lazy) noexcept {
  if (!team.options.has_rules || request.chunks_wait()) return nullptr;
  site::Site* const site = lazy.get();
  return site != nullptr ? site->rule.of_loop(request.site) : nullptr;
}

Asked asked_at_run_time(const Member& member) noexcept {
  const config::Schedule& s = member.icvs->run_schedule;
  return {.kind = s.kind,
          .by = SaidBy::kRuntime,
          .order = s.mono == loop::Monotonicity::kMonotonic ? Order::kMonotonic : Order::kAny,
          .chunk = static_cast<uint64_t>(s.chunk),
          .named = s.named};
}

bool is_cut_by_kinds(const LoopRequest& request, const Team& team, site::LazySite& site) noexcept {
  return request.is_llvms() && request.asked.kind == loop::ScheduleKind::kStatic &&
         request.asked.chunk == 0 && selected_for(request, team, site) == nullptr;
}

Decision decide(Member& member, const LoopRequest& request, site::LazySite& site,
                loop::Plan& plan) noexcept {
  const Team& team = *member.team;
  const loop::Selection* const wish = selected_for(request, team, site);
  const bool open =
      wish == nullptr && (request.asked.kind == loop::ScheduleKind::kAuto ||
                          (request.is_block() && static_loops() == config::StaticLoops::kTuned));
  if (open && team.late.is_for_lent()) {
    // Members may join late, and then find work. What they do says nothing of a schedule.
    if (!request.in_order() && !request.is_block())
      return {.row = &schedule(request.asked, &known(ich, "ich"), team, plan)};
  } else if (open && team.options.explores) {
    if (site::TunedLoop* tuned = tuned_site(member, request, site)) return {.tuned = tuned};
  }
  return {.row = &schedule(request.asked, wish, team, plan)};
}

}  // namespace vicino::region
