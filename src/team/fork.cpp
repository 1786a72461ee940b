// fork.cpp: a team is made ready, released, and gathered again.
//
// The primary thread of a team owns all of it but the Members' Posts while no region is on. A
// region hands it over and back:
//  F1 the primary writes the team and the mailboxes' calls, then calls the members up
//     (sync/handover.hpp, H1): each sees all of that, its arrangement included.
//  F2 a worker finishes with gather(): the primary, when it has gathered all (B2), sees what the
//     workers did, and owns the team again.
// Between F2 and its next F1 a worker touches its own Member, its gates and its group's gate only,
// and the team's tasks as long as the ledger counts it at work.
//  F3 the region's tasks are done when the ledger is at rest (task/ledger.hpp, L2).
#include "team/fork.hpp"

#include <utility>

#include "base/say.hpp"
#include "team/affinity.hpp"
#include "team/attentive.hpp"
#include "team/cancel.hpp"
#include "team/loops.hpp"
#include "team/pool.hpp"
#include "team/serve.hpp"
#include "team/waiting.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// Room under the thread limit for `wanted` more threads, taken; gives how many were to be had.
int take_room(Contention& group, int limit, int wanted) {
  int have = group.threads.load(std::memory_order_relaxed);
  int room;
  do room = std::clamp(limit - have, 0, wanted);
  while (!group.threads.compare_exchange_weak(have, have + room, std::memory_order_relaxed));
  return room;
}

// Of what take_room() gave to a region that is met with these ICVs.
void give_back_room(Contention& group, const Icvs& icvs, int threads) {
  if (threads > 0 && icvs.thread_limit != config::kUnlimited)
    group.threads.fetch_sub(threads, std::memory_order_relaxed);
}

// What the two kinds of region have in common.
void set_up(Team& team, Member& parent, int size) {
  if (parent.bare != 0) make_records(parent);  // tasks_below is to count them
  team.parent = &parent;
  team.size = size;
  team.level = parent.team->level + 1;
  team.active_level = parent.team->active_level + (size > 1);
  team.icvs = parent.icvs->inherited();
  team.contention = parent.team->contention;
  ++parent.worker->tasks_below;
}

// A region's place in the program: waiting learns by it. Even, so that site + 1 is another's.
uint32_t site_of(const void* function) {
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(function) * 0x9E3779B97F4A7C15u) >> 40)
         << 1;
}

// How many of the team's threads are in Pool::awake() before a region begins. Of an outermost team,
// those that listen for the next region, and before the first nobody. Of an inner team the primary
// thread alone: between its regions the others may be idle for good.
int counted_awake(const Team& team, const Worker& primary) {
  if (primary.leads_inner_team()) return 1;
  return team.attached > 1 ? team.awake : 0;
}

// Makes `n` members ready, or as many as can be had; gives the number. `counted`: as above.
int make_ready(Team& team, const Member& parent, int n, int counted, topo::Bind bind) {
  Pool& pool = Pool::get();
  team.reserve(n);
  team.patience = &limits_for(pool.awake() + n - counted);
  if (n > team.attached) {
    const uint64_t seen = sync::Go::pack(team.member(0).meeting, kMaxTeam);
    team.attached += pool.attach(team, team.attached, n - team.attached, seen);
    n = std::min(n, team.attached);
  }
  team.arrange(n, bind, parent);
  return n;
}

// F1
void release(Team& team, int n, int counted, int attached_before, const Call& call) {
  Member& primary = team.member(0);
  if (primary.singles != 0) team.singles.reset();
  const uint64_t number = primary.meeting + 1;
  primary.start(number);
  sync::call_up(team, sync::Go::pack(number, n), team.awake, attached_before,
                [&](int i) { team.mailbox(i).call = call; });
  if (n != counted && team.attached > 1) Pool::get().count_awake(n - counted);
  team.awake = n;
}

// Whether all members, of which the primary thread has been the last, count the same meetings.
[[maybe_unused]] bool all_met(Team& team) {
  for (int i = 1; i < team.size; ++i)
    if (team.member(i).meeting != team.member(0).meeting) return false;
  return true;
}

// Consumes what __kmpc_push_num_threads and __kmpc_push_proc_bind left.
Request with_pushed(Member& parent, Request request) {
  if (request.threads == 0) request.threads = parent.pushed_threads;
  if (!request.has_bind && parent.has_pushed_bind) {
    request.has_bind = true;
    request.bind = parent.pushed_bind;
  }
  parent.pushed_threads = 0;
  parent.has_pushed_bind = false;
  return request;
}

// A proc_bind clause means nothing while binding is off.
topo::Bind bind_of(const Member& parent, const Request& request) {
  const topo::Bind var = parent.icvs->bind;
  if (var == topo::Bind::kFalse || !request.has_bind) return var;
  return request.bind;
}

// A program whose regions have one thread, as a rank of an MPI program may, is bound all the same.
// Not so further threads of the program: they would all be sent to the first place.
void place_alone(Member& initial) {
  constexpr int kFirstThread = 0;
  if (initial.worker->gtid() != kFirstThread) return;
  initial.worker->bind_to(0);
  initial.place = 0;
}

void forget_cancelled_loops(Team& team) {
  for (auto& loop : team.cancelled_loops) loop.store(0, std::memory_order_relaxed);
}

// What a region that was cancelled, or had constructs with memory of their own, leaves behind.
void clean_up(Team& team) {
  team.construct_memory.clear();
  if (!team.icvs.cancellation) return;
  if (team.cancelled_at.load(std::memory_order_relaxed) != 0) {
    team.ring().reset();
    team.singles.reset();
    team.cancelled_at.store(0, std::memory_order_relaxed);
  }
  forget_cancelled_loops(team);
}

}  // namespace

int team_size(const Member& parent, int requested) {
  const Icvs& icvs = *parent.icvs;
  if (parent.team->active_level >= icvs.max_active_levels) return 1;
  int n = std::min(requested > 0 ? requested : icvs.nthreads, kMaxTeam);
  if (icvs.dynamic) n = std::min(n, topo::Machine::here().default_team_size());
  if (n > 1 && icvs.thread_limit != config::kUnlimited)
    n = 1 + take_room(*parent.team->contention, icvs.thread_limit, n - 1);
  return n;
}

Member& begin_serial(uint32_t site) {
  Member& parent = me();
  Team& team = parent.worker->push_serial();
  Member& member = team.member(0);
  set_up(team, parent, 1);
  team.patience = parent.team->patience;
  team.site = site;
  member.start(member.meeting + 1);
  if (parent.place < 0 && parent.icvs->bind != topo::Bind::kFalse) [[unlikely]]
    place_alone(parent);
  team.arrange(1, topo::Bind::kFalse, parent);
  member.place = parent.place;
  self = &member;
  if (team.displays) [[unlikely]] {
    team.decide_announcement();
    if (team.announce) display_affinity(member, {});
  }
  return member;
}

Member& begin_region(const Call& call, const Request& asked) {
  Member& parent = me();
  const Request request = with_pushed(parent, asked);
  int n = team_size(parent, request.threads);
  MoldedRegion molded;
  if (n > 1 && may_mold(parent, request)) [[unlikely]] {
    molded = mold(call.function, n);
    if (molded.site != nullptr) {
      give_back_room(*parent.team->contention, *parent.icvs, n - molded.choice.threads);
      n = molded.choice.threads;
    }
  }
  if (n == 1) {
    Member& alone = begin_serial(site_of(call.function));
    if (molded.site != nullptr) [[unlikely]]
      begin_molded(*alone.team, molded, call);
    return alone;
  }

  Team& team = parent.worker->push_hot();
  const int attached_before = team.attached;
  const int counted = counted_awake(team, *parent.worker);
  const int wanted = n;
  n = make_ready(team, parent, n, counted, bind_of(parent, request));
  set_up(team, parent, n);
  give_back_room(*team.contention, team.icvs, wanted - n);
  team.site = site_of(call.function);
  if (team.displays) [[unlikely]]
    team.decide_announcement();
  if (molded.site != nullptr) [[unlikely]]
    release(team, n, counted, attached_before, begin_molded(team, molded, call));
  else
    release(team, n, counted, attached_before, call);
  Member& primary = team.member(0);
  if (primary.place >= 0) {
    primary.worker->bind_to(primary.place);
    // The same thread; an initial one is bound from here on. Others have been, and thieves read it.
    if (parent.place < 0) parent.place = primary.place;
  }
  if (team.announce) display_affinity(primary, {});
  return *(self = &primary);
}

void end_region() {
  Member& member = *self;
  Team& team = *member.team;
  if (team.parent == nullptr) return;  // forked in a region: the child has left it (roots.cpp)
  Worker& worker = *member.worker;
  --worker.tasks_below;
  const bool molded = team.molded.site != nullptr;
  if (molded) [[unlikely]]
    leave_molded(member);
  end_cancellable(member);
  run_dry(member);
  if (!team.serial) {
    gather(team, team.layout(), 0, ++member.meeting, Attentive{member, member.waiting()});  // F2
    VICINO_CHECK(F2, all_met(team));
  }
  if (member.tasks_about()) finish_all(member);  // F3
  if (molded) [[unlikely]]
    end_molded(team);
  clean_up(team);
  if (team.serial) {
    worker.pop_serial();
  } else {
    give_back_room(*team.contention, team.icvs, team.size - 1);
    if (worker.leads_inner_team()) Pool::get().count_awake(1 - team.size);
    worker.pop_hot();
  }
  self = team.parent;
}

void fork(const Call& call, const Request& request) {
  Member& primary = begin_region(call, request);
  call.run(primary, call);
  end_region();
}

void end_cancellable(Member& member) {
  if (member.team->icvs.cancellation && !has_left(member)) barrier(member);  // C2
}

void barrier(Member& member) {
  Team& team = *member.team;
  if (team.icvs.cancellation) [[unlikely]] {
    abandon_loop(member);
    if (has_left(member)) return;  // C3
    if (std::exchange(member.has_met, false)) return;
    if (team.size == 1) forget_cancelled_loops(team);
  }
  task::Ledger& ledger = *member.ledger;
  if (team.size == 1 && !member.tasks_about()) return;
  run_dry(member);
  ++member.meeting;
  if (team.size > 1)
    meet(team, team.layout(), member.id, member.meeting, Attentive{member, member.waiting()});
  // A member that has left already counts in the other ledger.
  if (member.tasks_about()) finish_all(member);
  member.tied = &member.implicit;
  member.begin_epoch(team.ledgers[&ledger == team.ledgers]);
}

void Worker::dissolve_teams() {
  for (auto& team : hot_) {
    const uint64_t number = team->member(0).meeting + 1;
    sync::call_off(*team, number, team->attached);
    for (int i = 1; i < team->attached; ++i) {
      Member& member = team->member(i);
      member.post.gathered.wait_for(number, patience(0), *team->patience);
      Pool::get().put_back(*member.worker);
    }
    if (team == hot_.front() && team->attached > 1) Pool::get().count_awake(-team->awake);
  }
  hot_.clear();
}

}  // namespace vicino::team
