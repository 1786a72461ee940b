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
//  K1 Kept notes a selection by a release and finds it by an acquire. Threads that note one
//     at once note equal ones.
//  The state of a loop is published by its slot (R1 and R2 of loop/ring.hpp), and what one ordered
//  region wrote by the turn (G1 and G2 of sync/event_count.hpp).
#include "region/loops.hpp"

#include <utility>

#include "base/say.hpp"
#include "config/rules.hpp"
#include "config/settings.hpp"
#include "event/work.hpp"
#include "loop/registry.hpp"
#include "region/borrowed.hpp"
#include "region/cancel.hpp"
#include "region/tuned_run.hpp"
#include "site/counts.hpp"
#include "site/loop_record.hpp"
#include "site/tuned_site.hpp"
#include "team/cancelled.hpp"
#include "team/late_start.hpp"
#include "team/slack.hpp"
#include "team/team_loops.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

// A schedule with its defaults, looked up once. Not a local static of its own: a child of fork() may find
// the guard of such a variable taken for ever.
class Kept {
 public:
  explicit constexpr Kept(const char* name) noexcept : name_(name) {}
  const loop::Selection& get() noexcept {
    const loop::Selection* known = kept_.load(std::memory_order_acquire);  // K1
    if (known == nullptr) [[unlikely]] {
      known = loop::keep(loop::by_default(*loop::find(name_)));
      kept_.store(known, std::memory_order_release);  // K1
    }
    return *known;
  }

 private:
  const char* const name_;
  plat::atomic<const loop::Selection*> kept_{nullptr};
};

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

// Whether the loop itself says schedule(static).
bool is_fixed(const LoopRequest& request) noexcept {
  return request.kind == loop::ScheduleKind::kStatic && !request.runtime;
}

bool gives_one_block(const loop::Selection& selection) noexcept {
  return (selection.row == loop::find("static") || selection.row == loop::find("weighted")) &&
         selection.chunk == 0;
}

// The rule for the loop, or null.
const config::Rule* rule_for(const LoopRequest& request, const Team& team,
                             site::LazySite& lazy) noexcept {
  if (!team.options.has_rules || request.singly) return nullptr;
  site::Site* const site = lazy.get();
  return site != nullptr ? site->rule.of_loop(request.site) : nullptr;
}

// The schedule that a rule gives to the loop, if the loop can have it; else null. By the standard a
// static loop is monotonic without a modifier, too; but a rule for such a loop is meant to change
// just that.
const loop::Selection* ruled_for(const LoopRequest& request, const Team& team,
                                 site::LazySite& site) noexcept {
  const config::Rule* const rule = rule_for(request, team, site);
  if (rule == nullptr) return nullptr;
  const loop::Selection& wanted = rule->schedule;
  const bool in_order = request.ordered || (request.monotonic && !is_fixed(request));
  const char* const why = request.once && !gives_one_block(wanted)
                              ? "it is static in the compiled code and asks once: it can be "
                                "static, or weighted, without "
                                "a chunk"
                          : in_order && !wanted.row->ordered ? "its chunks have to come in order"
                                                             : nullptr;
  if (why == nullptr) return &wanted;
  site.get()->rule.refuse(*rule, request.site, why);
  return nullptr;
}

// The schedule that the loop or VICINO_SCHEDULE names. VICINO_SCHEDULE does not change sections,
// nor schedule(static), whose assignment of iterations a program may rely on.
const loop::Selection* wish_for(const LoopRequest& request) noexcept {
  if (request.settled) return request.named;
  const loop::Selection& everywhere = config::settings().vicino_schedule;
  const bool in_order = request.monotonic || request.ordered;
  const loop::Selection* wish = everywhere && !is_fixed(request) && !request.singly && !request.once
                                    ? &everywhere
                                    : request.named;
  return wish != nullptr && in_order && !wish->row->ordered ? nullptr : wish;
}

// The schedule by a rule or by a name; null if neither says anything of the loop.
const loop::Selection* selected_for(const LoopRequest& request, const Team& team,
                                    site::LazySite& site) noexcept {
  const loop::Selection* ruled = ruled_for(request, team, site);
  return ruled != nullptr ? ruled : wish_for(request);
}

// The schedule of a loop that a team shares; completes `plan` with what that schedule needs.
const loop::Row& schedule(const LoopRequest& request, const loop::Selection* wish, const Team& team,
                          loop::Plan& plan) noexcept {
  if (wish == nullptr) {
    const loop::Row& row =
        loop::choose(request.kind, plan, request.monotonic || request.ordered || request.ascending);
    if (row.asks_near) plan.shape = &team.arrangement().shape(team);
    return row;
  }
  if (wish != request.named) plan.chunk = wish->chunk;
  plan.values = wish->values;
  plan.shape = &team.arrangement().shape(team);
  plan.fraction = request.fraction;
  return loop::fitting(*wish->row, plan);
}

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

// Whether one of OpenMP's schedules is named for the loop, by the program or in OMP_SCHEDULE.
bool is_named(const LoopRequest& request) noexcept {
  return request.sections || request.kind == loop::ScheduleKind::kStatic ||
         request.kind == loop::ScheduleKind::kDynamic ||
         request.kind == loop::ScheduleKind::kGuided;
}

// Guided gives a single member all iterations at once, which is what static does.
ompt::Work named_work(const LoopRequest& request, int members) noexcept {
  if (request.sections) return ompt::Work::kSections;
  if (request.kind == loop::ScheduleKind::kDynamic) return ompt::Work::kDynamicLoop;
  const bool guided = request.kind == loop::ScheduleKind::kGuided && members > 1;
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

[[gnu::cold]] void tell_loop(const LoopRequest& request, ompt::Work work) noexcept {
  event::work_begins(work, request.trip, request.site.address);
}

// The member has begun a loop whose executions are counted, or of which a tool is told.
[[gnu::cold]] void show(Member& member, const LoopRequest& request, site::LazySite& site,
                        const loop::Row& row, uint64_t began) noexcept {
  if (member.team->options.counts_loops) count(member, site, row, began);
  if (member.team->icvs.watched() && !request.once && !is_named(request))
    tell_loop(request, chosen_work(row));
}

// The site of a loop for which the tuner chooses. Null for other loops, and for an execution that
// the tuner does not time.
site::TunedLoop* tuned_site(Member& member, const LoopRequest& request, site::LazySite& lazy) {
  if (request.monotonic || request.ordered || request.singly || request.trip == 0) return nullptr;
  const Team& team = *member.team;
  const auto kind = request.once ? site::SiteKey::Kind::kStatic : site::SiteKey::Kind::kLoop;
  const bool several_nodes = !request.once && team.arrangement().has_several_nodes();
  const auto key =
      site::SiteKey::of_loop(kind, static_cast<uint32_t>(team.size), request.trip, several_nodes)
          .at_level(team.active_level);
  auto* const site = member.loop.known.find<site::TunedLoop>(
      request.site.address, key, [&] { return site::TunedLoop::find(lazy.get(), key); });
  return site != nullptr && site->times({team.number, member.generation}) ? site : nullptr;
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

void begin_tuned(Member& member, const LoopRequest& request, site::TunedLoop& tuned,
                 site::LazySite& site, loop::Plan& plan, uint64_t began) noexcept {
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

// In a team of one the member shares nothing and waits for no turn: the loop is one chunk. A rule
// for the loop counts as one that has found its loop all the same.
const loop::Row& whole_loop(const LoopRequest& request, const Team& team,
                            site::LazySite& site) noexcept {
  rule_for(request, team, site);
  return loop::whole_loop();
}

// What a schedule needs to know of the loop, as far as its clauses say it.
loop::Plan plan_of(const LoopRequest& request, const Team& team, bool ordered) noexcept {
  loop::Plan plan;
  plan.trip = request.trip;
  plan.chunk = request.chunk;
  plan.members = static_cast<uint32_t>(team.size);
  plan.singly = ordered || request.singly;
  return plan;
}

// From now on the member is in this loop.
void reset_state(LoopState& l, const LoopRequest& request, int id, bool ordered) noexcept {
  l.slot = nullptr;
  l.tuned = nullptr;
  l.shared = &l;  // a schedule that shares nothing does not look
  l.cursor.member = static_cast<uint32_t>(id);
  l.ordered = ordered;
  l.once = request.once;
  l.trip = request.trip;
  l.chunk = {};
  l.at = 0;
  l.in_turn = false;
  l.looks = false;
}

// The schedule that the loop is given where nothing else chooses, and its members may join late.
const loop::Selection& for_late_members() noexcept {
  static constinit Kept kept{"ich"};
  return kept.get();
}

// A loop in a region that its primary thread has begun alone, for members that join when cores are lent.
// With a second loop, or an ordered one, the primary thread may come to wait for a member.
void meet_alone(Member& member, bool ordered) noexcept {
  if (ordered || member.met.worksharings > 1)
    team::need_all(member);
  else
    member.loop.looks = true;
}

// How the loop runs: as the tuner of a site says, or by a row of the registry.
struct Decision {
  site::TunedLoop* tuned = nullptr;
  const loop::Row* row = nullptr;
};

// `plan` is completed for the row.
Decision decide(Member& member, const LoopRequest& request, site::LazySite& site,
                loop::Plan& plan) noexcept {
  const Team& team = *member.team;
  if (team.size == 1) return {.row = &whole_loop(request, team, site)};
  const loop::Selection* const wish = selected_for(request, team, site);
  const bool open = request.kind == loop::ScheduleKind::kAuto ||
                    (request.once && static_loops() == config::StaticLoops::kTuned);
  const bool in_any_order = !request.monotonic && !request.ordered && !request.singly;
  if (open && wish == nullptr && team.late.is_for_lent() && in_any_order && !request.once)
    return {.row = &schedule(request, &for_late_members(), team, plan)};
  // What a member does that may come late says nothing of a schedule.
  if (open && wish == nullptr && team.options.explores && !team.late.is_for_lent())
    if (site::TunedLoop* tuned = tuned_site(member, request, site)) return {.tuned = tuned};
  return {.row = &schedule(request, wish, team, plan)};
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

}  // namespace

void begin_loop(Member& member, const LoopRequest& request) noexcept {
  const Team& team = *member.team;
  const uint64_t began = team.options.counts_loops ? plat::now() : 0;
  ++member.met.worksharings;
  if (!team.icvs.is_plain()) [[unlikely]] {
    if (team.icvs.watched() && !request.once && is_named(request))
      tell_loop(request, named_work(request, team.size));
    if (team.icvs.cancellation() && has_left(member))
      return leave_out(member.loop);  // the others do not come, and slots would not become free
  }
  const bool ordered = request.ordered && team.size > 1;
  loop::Plan plan = plan_of(request, team, ordered);
  reset_state(member.loop, request, member.id, ordered);
  if (member.id == 0 && team.was_begun_alone() && team.late.is_for_lent()) [[unlikely]]
    meet_alone(member, ordered);
  site::LazySite site(request.site);
  const Decision decision = decide(member, request, site, plan);
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
    event::next_chunk_is(l.lower + chunk.begin * l.piece * l.step, chunk.size() * l.piece);
  return chunk;
}

}  // namespace

loop::Range next_chunk(Member& member) noexcept {
  if (member.loop.next == nullptr) return {};
  if (!member.team->icvs.is_plain()) [[unlikely]]
    return next_special_chunk(member);
  return take_chunk(member);
}

namespace {

const loop::Selection& weighted() noexcept {
  static constinit Kept kept{"weighted"};
  return kept.get();
}

}  // namespace

loop::Range begin_block(Member& member, const site::CallSite& site, uint64_t trip) noexcept {
  abandon_loop(member);  // a loop that was left without a call, as by longjmp()
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

}  // namespace vicino::region
