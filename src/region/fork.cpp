// fork.cpp: a team is made ready, released, and gathered again.
//
// While no region is on, the primary thread of a team owns all of it but the members' barrier
// flags. A region hands the team over and back:
//  F1 the primary thread writes the team and the mailboxes' calls, then calls the members up (H1 of
//     sync/handover.hpp): each member sees all that was written, the team's arrangement included.
//  F2 a worker finishes with gather(). When the primary thread has gathered all members (B2 of
//     sync/barrier.hpp), it sees what they did, and owns the team again.
//  F3 the region's tasks are done when the termination detector is at rest (L2 of
//     task/termination.hpp).
// Between F2 and its next F1 a worker touches only its own Member, its event counts and its group's
// event count, and the team's tasks as long as the termination detector counts it at work.
//
// Relaxed atomics: `cancelled` is read and reset by the primary thread after F2, and the next
// region sees that by F1.
#include "region/fork.hpp"

#include <utility>

#include "base/fp_control.hpp"
#include "base/say.hpp"
#include "base/spread.hpp"
#include "config/settings.hpp"
#include "event/regions.hpp"
#include "region/affinity.hpp"
#include "region/alone.hpp"
#include "region/announce.hpp"
#include "region/borrowed.hpp"
#include "region/constructs.hpp"
#include "region/leaders.hpp"
#include "region/pages.hpp"
#include "region/room.hpp"
#include "region/roots.hpp"
#include "site/counts.hpp"
#include "sync/handover.hpp"
#include "tasking/attentive.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/cancelled.hpp"
#include "team/construct_memory.hpp"
#include "team/contention.hpp"
#include "team/late_start.hpp"
#include "team/places.hpp"
#include "team/pool.hpp"
#include "team/team_loops.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::Beginning;
using team::Contention;
using team::Icvs;
using team::kMaxTeam;
using team::limits_for;
using team::Pool;
using team::self;
using team::Team;
namespace {

// Takes `wanted` more threads of those that the limit allows, or as many as there are; returns that
// number.
[[gnu::cold]] int take_threads(Contention& group, int limit, int wanted) {
  return group.take_threads(config::settings().threads_reserve.limits(limit), limit, wanted);
}

// Gives back part of what take_threads() took for a region that is met with these ICVs.
void give_back_threads(Contention& group, const Icvs& icvs, int threads) {
  if (threads > 0 && icvs.thread_limit != config::kUnlimited) group.give_threads(threads);
}

// The region has fewer threads than its num_threads clause demands.
void miss_threads(const team::NumThreads& its, int size) {
  const char* const colon = its.message != nullptr ? ": " : "";
  const char* const message = its.message != nullptr ? its.message : "";
  constexpr char kWords[] =
      "num_threads(strict: %d): the parallel region cannot have so many threads, and %d is all it "
      "gets%s%s";
  if (its.fatal) die(kWords, its.strict, size, colon, message);
  say(kWords, its.strict, size, colon, message);
}

// What the region's num_threads clause says beyond one number.
[[gnu::cold]] void apply_num_threads(Team& team, Member& parent) {
  const std::unique_ptr<team::NumThreads> its = std::move(parent.pushed.num_threads);
  if (team.size < its->strict) miss_threads(*its, team.size);
  if (its->inner.empty()) return;
  team.inner_nthreads = std::move(its->inner);
  Icvs listed = *parent.icvs;
  listed.inner_nthreads = team.inner_nthreads;
  team.icvs = listed.inherited();
}

// The part of the set-up that serialised and parallel regions have in common.
void set_up(Team& team, Member& parent, int size) {
  if (parent.tasks.standing.is_bare())
    tasking::make_records(parent);  // so that the budget counts these tasks
  tasking::refuse_to_record(parent, "it has a parallel region");
  team.parent = &parent;
  team.size = size;
  team.level = parent.team->level + 1;
  team.active_level = parent.team->active_level + (size > 1);
  team.icvs = parent.icvs->inherited();
  if (parent.pushed.num_threads != nullptr) [[unlikely]]
    apply_num_threads(team, parent);
  team.contention = parent.team->contention;
  parent.worker->budget.enter();
}

// A region's place in the program; waiting learns for each place. It is even, for `site + 1` is the
// place of the wait after the region (serve.cpp).
uint32_t site_of(const void* function) {
  constexpr int kBits = 24;
  return static_cast<uint32_t>(spread(function, kBits)) << 1;
}

// How many of the team's threads Pool::awake() includes before a region begins. For an outermost
// team these are the threads that listen for the next region, and none before the first region. For
// an inner team it is the primary thread alone: between its regions the others may be idle for
// good.
int counted_awake(const Team& team, const Worker& primary) {
  if (primary.leads_inner_team()) return 1;
  return team.attached > 1 ? team.awake : 0;
}

// Makes `n` members ready, or as many as there can be, and returns their number. `counted`: see
// counted_awake().
int make_ready(Team& team, const Member& parent, int n, int counted, topo::Bind bind, bool leads) {
  Pool& pool = Pool::get();
  team.reserve(n);
  team.patience = leads ? &limits_beside_others(n) : &limits_for(pool.awake() + n - counted);
  // First, so that new threads begin where they belong: unless fewer may come than are asked for.
  const bool ahead = n <= team.attached || !pool.was_refused();
  if (ahead) team.arrange(n, bind, parent);
  if (n > team.attached) {
    const uint64_t seen = sync::Go::pack(team.member(0).generation, kMaxTeam);
    const int have = team.attached + pool.attach(team, team.attached, n - team.attached, seen);
    // The new threads are not attached yet, for they may still be on their way to where they begin: the
    // arrangement looks at the masks of those that are.
    if (!ahead || have < n) team.arrange(n = std::min(n, have), bind, parent);
    team.attached = have;
    team.settle(n, true);
  } else if (team.arrangement().has_changed()) {
    team.settle(n, false);
  }
  return n;
}

// The region begins for the primary thread.
void start_primary(Team& team) {
  Member& primary = team.member(0);
  if (primary.met.singles != 0) team.singles.reset();
  primary.start(primary.generation + 1);
}

// F1
void release(Team& team, int n, int counted, int attached_before, const Call& call) {
  sync::call_up(team, sync::Go::pack(team.member(0).generation, n), team.awake, attached_before,
                [&](int i) { team.mailbox(i).call = call; });
  if (n != counted && team.attached > 1) Pool::get().count_awake(n - counted);
  team.awake = n;
}

// Whether all members have the same barrier generation as the primary thread, which has gathered
// them.
[[maybe_unused]] bool all_arrived(Team& team) {
  for (int i = 1; i < team.size; ++i)
    if (team.member(i).generation != team.member(0).generation) return false;
  return true;
}

// Adds to the request what __kmpc_push_num_threads and __kmpc_push_proc_bind have said of this
// region.
Request with_pushed(Member& parent, Request request) {
  if (request.threads == 0) request.threads = parent.pushed.threads;
  if (!request.has_bind && parent.pushed.has_bind) {
    request.has_bind = true;
    request.bind = parent.pushed.bind;
  }
  parent.pushed.threads = 0;
  parent.pushed.has_bind = false;
  return request;
}

// A proc_bind clause means nothing while threads are not bound to places.
topo::Bind bind_of(const Member& parent, const Request& request) {
  const topo::Bind var = parent.icvs->bind;
  return request.has_bind && topo::to_places(var) ? request.bind : var;
}

// Resets what is left of a region that was cancelled, or that had constructs with memory of their
// own.
void clean_up(Team& team) {
  team.construct_memory->clear();
  if (!team.icvs.cancellation()) return;
  if (team.cancelled.region.load(std::memory_order_relaxed) != 0) {
    team.loops().ring().reset();
    team.singles.reset();
    team.cancelled.region.store(0, std::memory_order_relaxed);
  }
  team::forget_cancelled_loops(team);
}

// Whether the region, to which dyn-var or a setting would give fewer threads than it asks for, may not have fewer.
[[gnu::cold]] bool is_strict(const Member& parent, const void* function) noexcept {
  const bool is_by_clause =
      parent.pushed.num_threads != nullptr && parent.pushed.num_threads->strict > 0;
  return is_by_clause || needs_all_threads(function);
}

// How many threads a region met by `parent` gets, by OpenMP's algorithm (5.2, section 10.1.1).
int team_size(const Member& parent, const void* function, int requested) {
  const Icvs& icvs = *parent.icvs;
  if (parent.team->active_level >= icvs.max_active_levels) return 1;
  int n = std::min(requested > 0 ? requested : icvs.nthreads, kMaxTeam);
  if ((icvs.dynamic || icvs.lends) && !is_strict(parent, function)) [[unlikely]] {
    const int limited = limited_size(parent, std::min(n, icvs.thread_limit));
    if (limited >= n || may_have_fewer(parent, function)) n = limited;
  }
  if (n > 1 && icvs.thread_limit != config::kUnlimited)
    n = 1 + take_threads(*parent.team->contention, icvs.thread_limit, n - 1);
  return n;
}

// How a region is to run; made before any thread is asked for.
struct Plan {
  int threads;
  TunedPlan tuned;  // without a site where the execution is not timed
  Beginning begins = Beginning::kTogether;
  bool may_borrow = false;   // borrowed.hpp
  bool leaves_room = false;  // other processes, or other roots, keep their CPUs
  bool leads = false;        // the other roots know of it
};

[[gnu::cold]] void start_timing(Team& team, const Member& parent, const Request& request,
                                bool leaves_room, const void* function) noexcept {
  const bool by_clause = request.threads > 0;
  const bool needs_all = function != nullptr && needs_all_threads(function);
  team.started = {plat::now(), by_clause ? request.threads : parent.icvs->nthreads, by_clause,
                  leaves_room, needs_all};
}

// How many threads the region keeps of those planned for it.
void keep(Plan& plan, int threads, const Member& parent) {
  give_back_threads(*parent.team->contention, *parent.icvs, plan.threads - threads);
  plan.threads = threads;
}

// Of a region with dyn-var, or that may be a known library's.
[[gnu::cold]] void leave_room(Plan& plan, const Member& parent, const void* function) {
  if (is_strict(parent, function)) return;
  const int wanted = plan.threads;
  keep(plan, threads_with_room(parent, function, wanted), parent);
  plan.leaves_room = plan.threads < wanted;
  had_threads(plan.threads);
}

// Tells the other roots of a region, unless these need not know.
[[gnu::cold]] void lead(Plan& plan, const Member& parent) {
  const bool may_be_small = parent.icvs->dynamic || plan.leaves_room;
  plan.leads = parent.team->active_level == 0 && (plan.threads > 1 || may_be_small);
  if (plan.leads) begin_leading(plan.threads);
}

[[gnu::cold]] void tune(Plan& plan, const Member& parent, const void* function) {
  if (is_strict(parent, function)) return;
  plan.tuned = choose_threads(function, plan.threads);
  if (plan.tuned.site == nullptr) return;
  keep(plan, plan.tuned.begun.choice.threads, parent);
  had_threads(plan.threads);
}

[[gnu::always_inline]] inline Plan plan_region(const Member& parent, const void* function,
                                               const Request& request) {
  Plan plan{team_size(parent, function, request.threads), {}};
  if (plan.threads == 1 && !parent.icvs->lends) return plan;
  if (plan.threads == 1) {
    const auto begins = begin_borrower(parent, request, function);
    plan.may_borrow = begins.has_value();
    plan.begins = begins.value_or(Beginning::kTogether);
    if (plan.begins == Beginning::kAloneForLent) {
      team::meet_machine();
      plan.threads = kPrimaryAndGuest;
    }
    return plan;
  }
  team::meet_machine();
  if (parent.icvs->dynamic || asks_now(parent.worker->counts().regions.value())) [[unlikely]] {
    leave_room(plan, parent, function);
    if (plan.threads == 1) return plan;
  }
  if (may_tune(parent, request)) [[unlikely]] {
    tune(plan, parent, function);
  } else if (may_begin_alone(parent, request)) [[unlikely]] {
    plan.tuned = choose_alone(function, plan.threads);
    if (plan.tuned.begun.choice.threads == 1) plan.begins = Beginning::kAlone;
  }
  return plan;
}

// The calling thread becomes the member of a team of one.
Member& enter_serial(Member& parent, uint32_t site) {
  Team& team = parent.worker->push_serial();
  Member& member = team.member(0);
  set_up(team, parent, 1);
  team.patience = parent.team->patience;
  team.site = site;
  member.start(member.generation + 1);
  if (parent.bound.place < 0 && topo::to_places(parent.icvs->bind)) [[unlikely]]
    place_alone(parent);
  team.arrange(1, topo::Bind::kFalse, parent);
  member.bound = parent.bound;
  self = &member;
  return member;
}

// A tool is told of the region. `asked`: as in announce_region().
Member& begin_announced(Member& parent, uint32_t site, int asked) {
  Member& member = enter_serial(parent, site);
  Team& team = *member.team;
  if (team.options.announces) [[unlikely]] {
    announce_region(team, asked, nullptr);
    announce(member);
  }
  return member;
}

// The primary thread binds itself to its place, and goes on as its team's first member.
Member& become_primary(Member& parent, Member& primary) {
  if (primary.bound.place >= 0) {
    primary.worker->bind_to(primary.bound.spot);
    // `parent` is the same thread. An initial thread is bound from here on. Other threads were
    // bound before, and their `bound` must not be written here, for thieves read it.
    if (parent.bound.place < 0) parent.bound = primary.bound;
  }
  self = &primary;
  if (primary.team->announce) [[unlikely]]
    announce(primary);
  return primary;
}

// What the plan leaves to the region's end.
void owe_at_end(Team& team, const Plan& plan) noexcept {
  if (plan.may_borrow) [[unlikely]]
    team.at_end |= team::kMayBorrow;
  if (plan.leads) [[unlikely]]
    team.at_end |= team::kLeads;
}

[[gnu::always_inline]] inline Member& begin_parallel(Member& parent, const Call& call,
                                                     const Request& request, const Plan& plan) {
  if (places_pages.load(std::memory_order_relaxed)) [[unlikely]]
    place_pages(parent, call, plan.threads, fork);
  Team& team = parent.worker->push_hot();
  if (team.options.times_regions) [[unlikely]]
    start_timing(team, parent, request, plan.leaves_room, call.function);
  const int attached_before = team.attached;
  const int counted = counted_awake(team, *parent.worker);
  const int n =
      make_ready(team, parent, plan.threads, counted, bind_of(parent, request), plan.leads);
  set_up(team, parent, n);
  if (team.icvs.lends) [[unlikely]]
    place_guests(team);
  give_back_threads(*team.contention, team.icvs, plan.threads - n);
  team.site = site_of(call.function);
  team.fp_control = fp_control();
  if (team.options.announces) [[unlikely]]
    announce_region(team, request.threads, call.function);
  const Call& its = plan.tuned.site == nullptr ? call : begin_tuned_region(team, plan.tuned, call);
  start_primary(team);
  team.late.begin_together();
  if (plan.begins == Beginning::kTogether ||
      !begin_alone(team, plan.begins, its, request.on_demand))
    release(team, n, counted, attached_before, its);
  if ((team.at_end & team::kBorrows) != 0) [[unlikely]]
    tell_called();
  owe_at_end(team, plan);
  return become_primary(parent, team.member(0));
}

}  // namespace

Member& begin_serial(uint32_t site) {
  Member& parent = me();
  Member& alone = begin_announced(parent, site, 1);
  if (alone.team->options.times_regions) [[unlikely]]
    start_timing(*alone.team, parent, {.threads = 1}, false, nullptr);
  return alone;
}

Member& begin_initial(Contention& group, const Icvs& icvs) {
  Member& parent = me();
  Member& initial = enter_serial(parent, 0);
  Team& team = *initial.team;
  team.level = team.active_level = 0;
  team.icvs = icvs;
  team.contention = &group;
  if (parent.team->icvs.watched()) [[unlikely]] {
    team.icvs.special |= Icvs::kWatched;
    event::initial_task_begins(initial);
  }
  return initial;
}

Member& begin_region(const Call& call, const Request& asked) {
  Member& parent = me();
  const Request request = with_pushed(parent, asked);
  Plan plan = plan_region(parent, call.function, request);
  if (Pool::get().roots() > 1) [[unlikely]]
    lead(plan, parent);
  if (plan.threads > 1) return begin_parallel(parent, call, request, plan);
  Member& alone = begin_announced(parent, site_of(call.function), request.threads);
  owe_at_end(*alone.team, plan);
  if (alone.team->options.times_regions) [[unlikely]]
    start_timing(*alone.team, parent, request, plan.leaves_room, call.function);
  if (plan.tuned.site != nullptr) [[unlikely]]
    begin_tuned_region(*alone.team, plan.tuned, call);
  return alone;
}

namespace {

// Counts the team's region, which ends now. By its primary thread, before it leaves the team.
[[gnu::cold]] void count_region(Team& team, bool alone) noexcept {
  if (is_moving_pages()) return;
  const team::RegionStart& start = team.started;
  const site::RegionKind kind{start.asked, team.size,         start.by_clause, team.level > 1,
                              alone,       start.leaves_room, start.needs_all};
  const bool inside_own = team.level > 1 && team.parent->id == 0;
  const uint64_t now = plat::now();
  team.member(0).worker->counts().region_times.count(kind, now - start.ns, inside_own);
}

[[gnu::cold]] void do_at_end(Team& team, uint8_t owed) noexcept {
  if ((owed & team::kTuned) != 0) end_tuned_region(team);
  if ((owed & team::kPlacesPages) != 0) end_placing();
  // With `frees` each region of the team has the flag, and that of a thread's outermost team counts.
  const bool frees = config::settings().frees_primary;
  team.at_end = frees ? owed & team::kPrimaryHeld : 0;
  if ((owed & team::kLeads) != 0) end_leading();
  if ((owed & team::kMayBorrow) != 0) end_borrower(team.member(0));
  team::Worker& primary = *team.member(0).worker;
  if ((owed & team::kPrimaryHeld) != 0 && !(frees && primary.leads_inner_team())) primary.unbind();
  if ((owed & team::kBorrows) != 0) look_at_borrowed();
  if ((owed & team::kTold) != 0) {
    event::implicit_task_ends(team.member(0));
    event::parallel_ends(team);
  }
}

}  // namespace

void end_region() {
  Member& member = *self;
  Team& team = *member.team;
  Worker& worker = *member.worker;
  worker.budget.leave();
  if (team.parent == nullptr) return;  // forked in a region: the child has left it (roots.cpp)
  if ((team.at_end & team::kTuned) != 0) [[unlikely]]
    leave_tuned_region(member);
  end_part(member);
  tasking::run_dry(member);
  const uint8_t owed = team.at_end;
  const bool all_alone = team.late.was_begun_alone() && end_alone(team);
  if (!team.serial && !all_alone) {
    gather(team, team.layout(), 0, ++member.generation, tasking::Attentive(member));  // F2
    VICINO_CHECK(F2, all_arrived(team));
  }
  if (member.tasks.epoch.has_tasks()) tasking::finish_all(member);  // F3
  tasking::end_hosting(team);
  if (owed != 0) [[unlikely]]
    do_at_end(team, owed);
  ++worker.counts().regions;
  if (team.options.times_regions) [[unlikely]]
    count_region(team, all_alone);
  clean_up(team);
  if (team.serial) {
    worker.pop_serial();
  } else {
    give_back_threads(*team.contention, team.icvs, team.size - 1);
    if (worker.leads_inner_team()) Pool::get().count_awake(1 - team.size);
    worker.pop_hot();
  }
  self = team.parent;
}

void end_initial() {
  Member& member = *self;
  Team& team = *member.team;
  Worker& worker = *member.worker;
  worker.budget.leave();
  if (team.parent == nullptr) return;  // as in end_region()
  end_cancellable(member);
  tasking::run_dry(member);
  if (member.tasks.epoch.has_tasks()) tasking::finish_all(member);  // F3
  tasking::end_hosting(team);
  if (team.icvs.watched()) [[unlikely]]
    event::initial_task_ends(member);
  clean_up(team);
  worker.pop_serial();
  self = team.parent;
}

void fork(const Call& call, const Request& request) {
  Member& primary = begin_region(call, request);
  call.run(primary, call);
  end_region();
}

}  // namespace vicino::region
