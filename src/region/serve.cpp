// serve.cpp: a worker waits to be assigned to a team, then takes part in the team's regions until
// the team dissolves. The primary thread's side is fork.cpp, which has the argument about handing
// the team over (F1, F2).
#include "region/serve.hpp"

#include "base/fp_control.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "event/regions.hpp"
#include "lend/guest.hpp"
#include "plat/lost_time.hpp"
#include "region/announce.hpp"
#include "region/constructs.hpp"
#include "sync/handover.hpp"
#include "tasking/attentive.hpp"
#include "tasking/dependences.hpp"
#include "tasking/serving.hpp"
#include "tasking/tasks.hpp"
#include "team/places.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "topo/machine.hpp"
#include "topo/rank_share.hpp"

namespace vicino::region {

using team::Call;
using team::limits_between_regions;
using team::limits_for;
using team::Mailbox;
using team::run_on;
namespace {

// The place of the wait for the next region, after the region at `site`.
constexpr uint32_t after(uint32_t site) { return site + 1; }

void take_part(Member& me, const Call& call, uint64_t number) {
  me.start(number);
  self = &me;
  me.worker->bind_to(me.bound.spot);
  take_over_fp_control(me.team->fp_control);
  if (me.team->announce) [[unlikely]]
    announce(me);
  call.run(me, call);
  end_part(me);
  tasking::run_dry(me);
  // I3 of sync/handover.hpp
  VICINO_CHECK(I3, sync::Go::number(me.team->mailbox(me.id).go.peek()) == number);
  gather(*me.team, me.team->layout(), me.id, ++me.generation, tasking::Attentive(me));
}

// Returns when the team has dissolved.
void serve_team(Worker& worker) {
  const auto [team, id, first_seen, first_limits, is_agent] = worker.assignment;
  Member& me = team->member(id);
  const Mailbox& box = team->mailbox(id);
  sync::Listener listener(id, team->group_event(id), team->own_event(id), first_seen);
  const sync::PatienceLimits* limits = first_limits;
  uint32_t site = 0;
  uint64_t go;
  while (go = listener.next(tasking::Attentive(
             me, {worker.patience(after(site)), limits_between_regions(*limits)})),
         sync::Go::size(go) != sync::Go::kDissolve) {
    limits = team->patience;  // read within the region: after it, the primary thread may write it
    site = team->site;
    take_part(me, box.call, sync::Go::number(go));
  }
  if (team->options.watched) event::implicit_task_ends(me);
  self = nullptr;
  me.flags.gathered.advance(sync::Go::number(go));  // the worker's last access to this team
}

}  // namespace

void drop_vertices(Worker& worker, Team& team) noexcept {
  for (int i = 0; i < team.capacity(); ++i)
    tasking::drop_vertex(worker.heap(), team.member(i).tasks.standing.implicit());
}

void dissolve_teams(Worker& worker) {
  worker.call_teams_off();
  tasking::fulfilling.await_empty();
  worker.drop_teams([&worker](Team& team) { drop_vertices(worker, team); });
}

void* serve(void* its_worker) {
  auto& worker = *static_cast<Worker*>(its_worker);
  // If threads are bound, the creating thread may be bound, too, and this thread must not inherit
  // its mask. Otherwise a mask of the creating thread is the program's own wish, unless it is the
  // whole process's.
  const auto& binds = config::settings().proc_bind;
  const bool binds_it = worker.start.spot >= 0;
  if (!binds_it && !binds.empty() && topo::to_places(binds[0]))
    run_on(topo::Machine::here().cpus());
  topo::enter_share();
  worker.go_to_start();
  worker.guest->settle();
  sync::Patience idle;
  for (uint64_t done = 0;;) {
    done = worker.assigned.wait([done](uint64_t n) { return n > done; }, idle, limits_for(1));
    if (worker.assignment.is_agent) {
      tasking::serve_as_agent(worker);
      team::Pool::get().put_back(worker);
      continue;
    }
    if (worker.assignment.team == nullptr) break;  // Pool::end_idle()
    worker.take_over_inherited();
    if (ompt::thread == nullptr && worker.assignment.team->options.watched)
      event::thread_begins(worker, ompt::ThreadKind::kWorker);
    serve_team(worker);
  }
  dissolve_teams(worker);
  event::thread_ends(worker);
  plat::leave_cpu();
  team::Pool::get().end(worker);
  return nullptr;
}

}  // namespace vicino::region
