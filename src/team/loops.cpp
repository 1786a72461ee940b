// loops.cpp: loops begin, give chunks, and end; whose turn it is in ordered regions.
//
// Ordered regions. The slot's `turn` is the iteration that may enter next; it grows from 0 to the
// trip count. A member waits until it is at its chunk's first iteration, and then has the turn for
// the whole chunk: within it order is program order. It hands the turn on, to the iteration after
// its chunk, when the last one has had its ordered region, or has ended without. kmpc tells of each
// iteration; gcc of none, so there a longer chunk is done when the next is asked for.
//  O1 only the member whose chunk holds the turn opens it, to its chunk's end: it grows, and is
//     opened by one thread at a time.
//  O2 no deadlock: a member's chunks have increasing bounds (kOrdered), so the member with the
//     lowest unfinished chunk waits for nobody. Where that one may have left a cancelled region,
//     its successors are let go: ring.hpp (I5 to I7).
// The turn is 63 bits wide: ordered loops of more than 2^63 iterations are not.
#include "team/loops.hpp"

#include <utility>

#include "base/say.hpp"
#include "team/cancel.hpp"
#include "team/rules.hpp"
#include "team/tuned.hpp"
#include "team/worker.hpp"

namespace vicino::team {
namespace {

void end_loop(Member& member, bool cancelled) noexcept {
  LoopState& l = member.loop;
  l.next = nullptr;
  l.ordered = false;
  if (l.among) [[unlikely]] {
    l.among = false;
    l.slot->give_up_turn();
  }
  if (l.tuned != nullptr) [[unlikely]]
    std::exchange(l.tuned, nullptr)->end(member, cancelled);
  if (l.counting.site != nullptr) [[unlikely]]
    l.counting.finish(l.cursor.tally, member.id == 0);
  if (l.slot != nullptr) l.slot->leave(static_cast<uint32_t>(member.team->size));
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
  if (!member.team->icvs.cancellation)
    return void(l.slot->turn().wait_for(l.chunk.begin, waiting.patience, waiting.limits));
  l.slot->take_turn(l.chunk.begin, waiting, [&] { return region_is_cancelled(member); });
  l.among = true;
}

// Has what is left of the chunk pass, in its turn.
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
  l.slot->turn().open(l.chunk.end);  // O1
}

void use_runtime_schedule(const Member& member, LoopRequest& request) {
  const config::Schedule& s = member.icvs->run_schedule;
  request.runtime = true;
  request.kind = s.kind;
  request.named = s.named;
  request.chunk = static_cast<uint64_t>(s.chunk);
  request.monotonic = s.mono == loop::Monotonicity::kMonotonic;
}

namespace {

config::StaticLoops static_loops() noexcept { return config::settings().static_loops; }

// schedule(static), said by the loop itself.
bool is_fixed(const LoopRequest& request) noexcept {
  return request.kind == loop::ScheduleKind::kStatic && !request.runtime;
}

bool gives_one_block(const loop::Selection& selection) noexcept {
  return (selection.row == loop::find("static") || selection.row == loop::find("weighted")) &&
         selection.chunk == 0;
}

// What a rule says of the loop, if the loop can have it. A static loop that nobody called monotonic
// is so by the standard; but who writes a rule for it wants just that changed.
const loop::Selection* ruled_for(const LoopRequest& request, const Team& team) noexcept {
  if (!team.has_rules || request.singly) return nullptr;
  Ruled* ruled = rule_for(request.site);
  if (ruled == nullptr) return nullptr;
  const loop::Selection& wanted = ruled->schedule();
  const bool in_order = request.ordered || (request.monotonic && !is_fixed(request));
  const char* const why = request.once && !gives_one_block(wanted)
                              ? "it is static in the compiled code and asks once: it can be "
                                "static, or weighted, without "
                                "a chunk"
                          : in_order && !wanted.row->ordered ? "its chunks have to come in order"
                                                             : nullptr;
  if (why == nullptr) return &wanted;
  ruled->refuse(request.site, why);
  return nullptr;
}

// What VICINO_SCHEDULE may change: not what counts on how the iterations are dealt out, as
// schedule(static) lets a program do, nor sections.
const loop::Selection* wish_for(const LoopRequest& request) noexcept {
  if (request.settled) return request.named;
  const loop::Selection& everywhere = config::settings().vicino_schedule;
  const bool in_order = request.monotonic || request.ordered;
  const loop::Selection* wish = everywhere && !is_fixed(request) && !request.singly && !request.once
                                    ? &everywhere
                                    : request.named;
  return wish != nullptr && in_order && !wish->row->ordered ? nullptr : wish;
}

// What somebody said of the loop; null if nobody did.
const loop::Selection* selected_for(const LoopRequest& request, const Team& team) noexcept {
  const loop::Selection* ruled = ruled_for(request, team);
  return ruled != nullptr ? ruled : wish_for(request);
}

// The schedule of a loop that a team shares, and in `plan` what that wants to be told.
const loop::Row& schedule(const LoopRequest& request, const loop::Selection* wish, const Team& team,
                          loop::Plan& plan) noexcept {
  if (wish == nullptr)
    return loop::choose(request.kind, plan, request.monotonic || request.ordered);
  if (wish != request.named) plan.chunk = wish->chunk;
  plan.values = wish->values;
  plan.shape = &team.shape();
  plan.fraction = request.fraction;
  return loop::fitting(*wish->row, plan);
}

// `began`: when the member came.
void count(Member& member, const CallSite& call, const loop::Row& row, uint64_t began) noexcept {
  const uint64_t begin_ns = plat::now() - began;
  LoopState& l = member.loop;
  Site* site = call.address != nullptr
                   ? Site::find(call, row, static_cast<uint32_t>(member.team->size))
                   : nullptr;
  if (site == nullptr) return;
  l.counting.start(*site, l.next, l.shared, l.cursor.tally, begin_ns);
  l.next = next_counted;
  l.shared = &l.counting;
}

// The site of a loop that the tuner chooses for, if nobody else said anything of it; null for
// others, and for an execution of such a one that needs no look.
TunedSite* tuned_site(const Member& member, const LoopRequest& request) {
  if (request.monotonic || request.ordered || request.singly || request.trip == 0) return nullptr;
  if (request.site.address == nullptr) return nullptr;
  const Team& team = *member.team;
  const auto kind = request.once ? SiteKey::Kind::kStatic : SiteKey::Kind::kLoop;
  TunedSite* site = TunedSite::find(
      request.site, SiteKey::of_loop(kind, static_cast<uint32_t>(team.size), request.trip));
  return site != nullptr && site->times({team.number, member.meeting}) ? site : nullptr;
}

loop::Range next_of_none(void*, loop::Cursor&) noexcept { return {}; }

// There will be nothing in it for this member.
void leave_out(LoopState& l) noexcept {
  l.next = nullptr;
  l.ordered = false;
}

// The member's next slot and, in the plan, its lanes. set_up() is for who comes first. False if the
// loop was left out, for the region is cancelled.
template <class SetUp>
[[nodiscard]] bool enter_slot(Member& member, loop::Plan& plan, SetUp set_up) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  const uint64_t number = member.loops++;
  plan.lanes = team.lanes(number, plan.members);
  l.slot = &team.ring().slot(number);
  l.shared = l.slot->shared();
  if (l.slot->enter(number, set_up, member.waiting(), [&] { return region_is_cancelled(member); }))
    return true;
  leave_out(l);
  return false;
}

void begin_tuned(Member& member, TunedSite& site, loop::Plan& plan, uint64_t began) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  TunedRun& run = team.tuned_run(member.loops);
  const auto set_up = [&](loop::Slot& slot) {
    run.begin(site, team, plan);
    if (run.row().shared) run.row().start(slot.shared(), run.plan());
  };
  if (!enter_slot(member, plan, set_up)) return;
  l.tuned = &run;
  l.next = next_of_none;
  if (l.cursor.member < run.plan().members) {
    l.next = run.row().next;
    run.row().enter(l.shared, run.plan(), l.cursor);
    run.enter(member);
  }
  if (team.counts_loops) [[unlikely]]
    count(member, site.call(), run.row(), began);
}

// Of a team of one. A rule for it has found its loop all the same.
const loop::Row& whole_loop(const LoopRequest& request, const Team& team) noexcept {
  if (team.has_rules && !request.singly) rule_for(request.site);
  return loop::whole_loop();
}

}  // namespace

void begin_loop(Member& member, const LoopRequest& request) noexcept {
  Team& team = *member.team;
  LoopState& l = member.loop;
  const uint64_t began = team.counts_loops ? plat::now() : 0;
  ++member.worksharings;
  if (team.icvs.cancellation && has_left(member))
    return leave_out(l);  // the others do not come any more, and slots would not become free
  // A member that is alone has nobody to share with and no turn to wait for: the loop is one chunk.
  const bool alone = team.size == 1;
  const bool ordered = request.ordered && !alone;
  loop::Plan plan;
  plan.trip = request.trip;
  plan.chunk = request.chunk;
  plan.members = static_cast<uint32_t>(team.size);
  plan.singly = ordered || request.singly;
  l.slot = nullptr;
  l.tuned = nullptr;
  l.shared = &l;  // a schedule that shares nothing does not look
  l.cursor.member = static_cast<uint32_t>(member.id);
  l.ordered = ordered;
  l.once = request.once;
  l.trip = request.trip;
  l.chunk = {};
  l.at = 0;
  l.in_turn = false;
  const loop::Selection* const wish = alone ? nullptr : selected_for(request, team);
  const bool open = request.kind == loop::ScheduleKind::kAuto ||
                    (request.once && static_loops() == config::StaticLoops::kTuned);
  if (open && !alone && wish == nullptr && team.explores)
    if (TunedSite* site = tuned_site(member, request))
      return begin_tuned(member, *site, plan, began);

  const loop::Row& row = alone ? whole_loop(request, team) : schedule(request, wish, team, plan);
  l.next = row.next;
  const auto set_up = [&](loop::Slot& slot) {
    remember(request.site, row, plan);
    row.start(slot.shared(), plan);
    if (ordered) slot.turn().open(0);
  };
  if ((row.shared || ordered) && !enter_slot(member, plan, set_up)) return;
  row.enter(l.shared, plan, l.cursor);
  if (team.counts_loops) [[unlikely]]
    count(member, request.site, row, began);
}

loop::Range next_chunk(Member& member) noexcept {
  LoopState& l = member.loop;
  if (l.next == nullptr) return {};
  if (member.team->icvs.cancellation && loop_is_cancelled(member)) [[unlikely]] {
    end_loop(member, true);
    return {};
  }
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

namespace {

// What keep() has, found once. Not a local static: a child of fork() may find its guard taken.
const loop::Selection& weighted() noexcept {
  static constinit plat::atomic<const loop::Selection*> kept{nullptr};
  const loop::Selection* known = kept.load(std::memory_order_acquire);
  if (known == nullptr) [[unlikely]] {
    known = loop::keep(loop::by_default(*loop::find("weighted")));
    kept.store(known, std::memory_order_release);
  }
  return *known;
}

}  // namespace

loop::Range begin_block(Member& member, const CallSite& site, uint64_t trip) noexcept {
  abandon_loop(member);  // of a loop that was left without a word, as longjmp() may
  LoopRequest request{loop::ScheduleKind::kStatic};
  request.trip = trip;
  request.once = true;
  request.site = site;
  if (static_loops() == config::StaticLoops::kMeasured) request.named = &weighted();
  begin_loop(member, request);
  return next_chunk(member);
}

void end_block(Member& member) noexcept {
  member.loop.once = false;
  next_chunk(member);
}

}  // namespace vicino::team
