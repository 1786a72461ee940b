// loops.cpp: loops begin, give chunks, and end; whose turn it is in ordered regions.
//
// Ordered regions. The slot's `turn` is the iteration that may enter next; it grows from 0 to the
// trip count. A member waits until the turn is at its chunk's first iteration, and then has it for
// the whole chunk: within a chunk, order is program order. It hands the turn on, to the iteration
// after its chunk, when the chunk's last iteration has had its ordered region, or has ended without
// one. LLVM's code tells when each iteration ends; gcc's does not, so there a longer chunk hands
// the turn on when the next chunk is asked for.
//  O1 only the member whose chunk has the turn advances it, to its chunk's end. So the turn grows,
//     and one thread at a time advances it.
//  O2 no deadlock: a member's chunks have increasing bounds (kOrdered), so the member with the
//     lowest unfinished chunk waits for no other. That member may have left a cancelled region;
//     then its successors are let go (I5 to I7 of loop/ring.hpp).
// The turn is 63 bits wide: there are no ordered loops of more than 2^63 iterations.
//
// Memory order
//  The state of a loop is published by its slot (R1 and R2 of loop/ring.hpp), and what one ordered
//  region wrote by the turn (G1 and G2 of sync/event_count.hpp).
#include "region/loops.hpp"

#include <utility>

#include "base/say.hpp"
#include "event/work.hpp"
#include "loop/registry.hpp"
#include "region/borrowed.hpp"
#include "region/cancel.hpp"
#include "region/tuned_run.hpp"
#include "site/counts.hpp"
#include "site/loop_record.hpp"
#include "team/cancelled.hpp"
#include "team/late_start.hpp"
#include "team/slack.hpp"
#include "team/team_loops.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

void end_loop(Member& member, bool cancelled) noexcept {
  LoopState& l = member.loop;
  l.next = nullptr;
  l.ordered = false;
  if (l.among) [[unlikely]] {
    l.among = false;
    l.slot->give_up_turn();
  }
  TunedRun* const tuned = std::exchange(l.tuned, nullptr);
  if (tuned != nullptr) [[unlikely]]
    tuned->end(member, cancelled);
  if (l.counting != nullptr && l.counting->sums != nullptr) [[unlikely]]
    l.counting->finish(l.cursor.tally, member.id == 0);
  if (l.slot == nullptr) return;
  l.slot->leave(l.cursor.member, static_cast<uint32_t>(member.team->size), [&] {
    if (tuned != nullptr) [[unlikely]]
      tuned->record(member);
  });
}

}  // namespace

void abandon_loop(Member& member) noexcept {
  if (member.loop.next != nullptr) end_loop(member, true);
}

void wait_for_turn(Member& member) noexcept {
  LoopState& l = member.loop;
  if (l.in_turn) return;
  l.in_turn = true;
  const sync::Waiting waiting = member.waiting();
  if (!member.team->icvs.cancellation())
    return void(l.slot->turn().wait_for(l.chunk.begin, waiting.patience, waiting.limits));
  l.slot->take_turn(l.chunk.begin, waiting, [&] { return region_is_cancelled(member); });
  l.among = true;
}

// The rest of the chunk has no ordered regions: waits for the chunk's turn, and hands it on.
void hand_on_turn(Member& member) noexcept {
  LoopState& l = member.loop;
  if (l.at == l.chunk.end) return;
  wait_for_turn(member);
  l.at = l.chunk.end;
  if (l.among) [[unlikely]] {
    l.among = false;
    return l.slot->hand_on_turn(l.chunk.begin, l.chunk.end);
  }
  VICINO_CHECK(O1, l.slot->turn().peek() == l.chunk.begin);
  l.slot->turn().advance(l.chunk.end);  // O1
}

namespace {

// The member counts its part of the loop from now on. `began`: when the member came to the loop.
void count(Member& member, site::LazySite& site, const loop::Row& row, uint64_t began) noexcept {
  const uint64_t begin_ns = plat::now() - began;
  LoopState& l = member.loop;
  auto* const record =
      site::LoopRecord::find(site.get(), row, static_cast<uint32_t>(member.team->size));
  if (record == nullptr) return;
  if (l.counting == nullptr) l.counting = std::make_unique<site::LoopCounting>();
  l.counting->start(record->counts, l.next, l.shared, l.cursor.tally, begin_ns);
  l.next = site::next_counted;
  l.shared = l.counting.get();
}

// Whether the loop has one of OpenMP's own schedules, by its clause or by OMP_SCHEDULE.
bool is_standard(const LoopRequest& request) noexcept {
  const loop::ScheduleKind kind = request.asked.kind;
  return kind == loop::ScheduleKind::kStatic || kind == loop::ScheduleKind::kDynamic ||
         kind == loop::ScheduleKind::kGuided;
}

// Guided gives a single member all iterations at once, which is what static does.
ompt::Work standard_work(const LoopRequest& request, int members) noexcept {
  if (request.form == LoopRequest::Form::kSections) return ompt::Work::kSections;
  if (request.asked.kind == loop::ScheduleKind::kDynamic) return ompt::Work::kDynamicLoop;
  const bool guided = request.asked.kind == loop::ScheduleKind::kGuided && members > 1;
  return guided ? ompt::Work::kGuidedLoop : ompt::Work::kStaticLoop;
}

// What a tool is told of a loop for which Vicino chooses: the schedule that it has, if OpenMP knows it.
ompt::Work chosen_work(const loop::Row& row) noexcept {
  if (&row == &loop::whole_loop() || &row == loop::find("static_chunked"))
    return ompt::Work::kStaticLoop;
  if (&row == loop::find("dynamic") || &row == loop::find("dynamic_shared"))
    return ompt::Work::kDynamicLoop;
  return &row == loop::find("guided") ? ompt::Work::kGuidedLoop : ompt::Work::kOtherLoop;
}

[[gnu::cold]] void tell_loop(const Member& member, const LoopRequest& request,
                             ompt::Work work) noexcept {
  event::work_begins(work, member.loop.bounds.trip, request.site.address);
}

// The member has begun a loop whose executions are counted, or of which a tool is told.
[[gnu::cold]] void show(Member& member, const LoopRequest& request, site::LazySite& site,
                        const loop::Row& row, uint64_t began) noexcept {
  if (member.team->options.counts_loops) count(member, site, row, began);
  if (member.team->icvs.watched() && !request.is_block() && !is_standard(request))
    tell_loop(member, request, chosen_work(row));
}

loop::Range next_of_none(void*, loop::Cursor&) noexcept { return {}; }

// The member will get no iterations of the loop.
void leave_out(LoopState& l) noexcept {
  l.next = nullptr;
  l.ordered = false;
}

// Enters the member's next slot, and puts its lanes into the plan. The member that comes first
// calls set_up(). False if the loop was left out because the region is cancelled.
template <class SetUp>
[[nodiscard]] bool enter_slot(Member& member, loop::Plan& plan, SetUp set_up) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  const uint64_t number = member.met.loops++;
  plan.lanes = team.loops().lanes(number, plan.members);
  l.slot = &team.loops().ring().slot(number);
  l.shared = l.slot->shared();
  if (l.slot->enter(number, set_up, member.waiting(), [&] { return region_is_cancelled(member); }))
    return true;
  leave_out(l);
  return false;
}

// Inlined, it would leave loops that are not timed too few registers.
[[gnu::noinline]] void begin_tuned(Member& member, const LoopRequest& request,
                                   site::TunedLoop& tuned, site::LazySite& site, loop::Plan& plan,
                                   uint64_t began) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  auto& its_run = team.loops().tuned_run(member.met.loops);  // the number that enter_slot() takes
  const auto set_up = [&](loop::Slot& slot) {
    if (its_run == nullptr) its_run = std::make_shared<TunedRun>();
    its_run->begin(tuned, member, plan);
    if (its_run->row().shared) its_run->row().start(slot.shared(), its_run->plan());
  };
  if (!enter_slot(member, plan, set_up)) return;
  TunedRun& run = *its_run;
  l.tuned = &run;
  l.next = next_of_none;
  if (l.cursor.member < run.plan().members) {
    l.next = run.row().next;
    run.row().enter(l.shared, run.plan(), l.cursor);
    run.enter(member);
  }
  if (team.options.shows_loops) [[unlikely]]
    show(member, request, site, run.row(), began);
}

// What a schedule needs to know of the loop, as far as its clauses say it.
loop::Plan plan_of(uint64_t trip, const LoopRequest& request, const Team& team,
                   bool ordered) noexcept {
  loop::Plan plan;
  plan.trip = trip;
  plan.chunk = request.asked.chunk;
  plan.members = static_cast<uint32_t>(team.size);
  plan.singly = ordered || request.chunks_wait();
  return plan;
}

// From now on the member is in this loop.
void reset_state(LoopState& l, const LoopRequest& request, bool ordered) noexcept {
  l.slot = nullptr;
  l.tuned = nullptr;
  l.shared = &l;  // a schedule that shares nothing does not look
  l.ordered = ordered;
  l.once = request.is_block();
  l.chunk = {};
  l.at = 0;
  l.in_turn = false;
  l.looks = false;
}

// A loop in a region that its primary thread has begun alone, for members that join when cores are lent.
// With a second loop, or an ordered one, the primary thread may come to wait for a member.
void meet_alone(Member& member, bool ordered) noexcept {
  if (ordered || member.met.worksharings > 1)
    team::need_all(member);
  else
    member.loop.looks = true;
}

// In a team of one the member shares nothing and waits for no turn: the loop is one chunk.
Decision decide_alone(const LoopRequest& request, const Team& team, site::LazySite& site) noexcept {
  if (team.options.has_rules) rule_for(request, team, site);
  return {.row = &loop::whole_loop()};
}

void begin_by_row(Member& member, const LoopRequest& request, site::LazySite& site,
                  const loop::Row& row, loop::Plan& plan, uint64_t began) noexcept {
  LoopState& l = member.loop;
  l.next = row.next;
  const auto set_up = [&](loop::Slot& slot) {
    site::remember(site, row, plan);
    team::note_slack_taker(*member.team, row, plan);
    row.start(slot.shared(), plan);
    if (l.ordered) slot.turn().advance(0);
  };
  if ((row.shared || l.ordered) && !enter_slot(member, plan, set_up)) return;
  row.enter(l.shared, plan, l.cursor);
  if (member.team->options.shows_loops) [[unlikely]]
    show(member, request, site, row, began);
}

// As begin_by_row(), for a loop that is cut by kinds of cores; false if it is not. Only the region's first such
// loop needs a slot, in which the cuts of all are fixed, and ordered ones, which have a turn.
[[gnu::noinline]] bool begin_by_kinds(Member& member, const LoopRequest& request, loop::Plan& plan,
                                      uint64_t began) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  site::LazySite site(request.site);
  if (team.size == 1 || !is_cut_by_kinds(request, team, site)) return false;
  const loop::Row& row = loop::by_kinds();
  team::KindsOfMembers& kinds = team.loops().kinds();
  l.next = row.next;
  const bool fixes = !l.knows_cuts;
  const auto set_up = [&](loop::Slot& slot) {
    if (fixes) {
      site::remember(site, row, plan);
      kinds.fix(
          team.size, team.arrangement().changes(),
          [&](int m) { return team.member(m).bound.spot; }, plan.history);
    }
    if (l.ordered) slot.turn().advance(0);
  };
  if ((fixes || l.ordered) && !enter_slot(member, plan, set_up)) return true;
  l.knows_cuts = true;
  l.shared = &kinds.cuts;
  row.enter(l.shared, plan, l.cursor);
  if (team.options.shows_loops) [[unlikely]]
    show(member, request, site, row, began);
  return true;
}

}  // namespace

void detail::begin_loop(Member& member, const LoopRequest& request) noexcept {
  const Team& team = *member.team;
  ++member.met.worksharings;
  if (!team.icvs.is_plain()) [[unlikely]] {
    if (team.icvs.watched() && !request.is_block() && is_standard(request))
      tell_loop(member, request, standard_work(request, team.size));
    if (team.icvs.cancellation() && has_left(member))
      return leave_out(member.loop);  // the others do not come, and slots would not become free
  }
  const bool ordered = request.asked.order == Order::kOrdered && team.size > 1;
  loop::Plan plan = plan_of(member.loop.bounds.trip, request, team, ordered);
  reset_state(member.loop, request, ordered);
  if (member.id == 0 && team.late.was_begun_alone() && team.late.is_for_lent()) [[unlikely]]
    meet_alone(member, ordered);
  uint64_t began = 0;
  if (team.options.counts_or_cuts) [[unlikely]] {
    began = plat::now();
    if (team.options.cuts_by_kinds && begin_by_kinds(member, request, plan, began)) return;
  }
  site::LazySite site(request.site);
  const Decision decision =
      team.size == 1 ? decide_alone(request, team, site) : decide(member, request, site, plan);
  if (decision.tuned != nullptr)
    return begin_tuned(member, request, *decision.tuned, site, plan, began);
  begin_by_row(member, request, site, *decision.row, plan, began);
}

namespace {

[[gnu::always_inline]] inline loop::Range take_chunk(Member& member) noexcept {
  LoopState& l = member.loop;
  if (l.looks) [[unlikely]]
    l.looks = !join_late(member);
  if (l.ordered) hand_on_turn(member);
  const loop::Range chunk = l.next(l.shared, l.cursor);
  if (chunk.empty()) {
    end_loop(member, false);
  } else if (l.ordered) {
    l.at = chunk.begin;
    l.chunk = chunk;
    l.in_turn = false;
  }
  return chunk;
}

// next_chunk() where loops can be cancelled, or a tool is told of them.
[[gnu::noinline]] loop::Range next_special_chunk(Member& member) noexcept {
  LoopState& l = member.loop;
  const bool watched = member.team->icvs.watched() && !l.once;
  loop::Range chunk;
  if (member.team->icvs.cancellation() && loop_is_cancelled(member))
    end_loop(member, true);
  else
    chunk = take_chunk(member);
  if (watched)
    event::next_chunk_is(l.bounds.value(l.bounds.begin_of(chunk)), chunk.size() * l.bounds.piece);
  return chunk;
}

}  // namespace

loop::Range next_chunk(Member& member) noexcept {
  if (member.loop.next == nullptr) return {};
  if (!member.team->icvs.is_plain()) [[unlikely]]
    return next_special_chunk(member);
  return take_chunk(member);
}

loop::Range begin_block(Member& member, const site::CallSite& site, uint64_t trip) noexcept {
  abandon_loop(member);  // a loop that was left without a call, as by longjmp()
  begin_loop(member, loop::UserBounds::from_zero(trip),
             {.form = LoopRequest::Form::kBlock, .site = site});
  return next_chunk(member);
}

void end_block(Member& member) noexcept {
  member.loop.once = false;
  next_chunk(member);
}

}  // namespace vicino::region
