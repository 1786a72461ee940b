// serve.cpp: a worker waits to be assigned to a team, then takes part in its regions, until it
// dissolves. The other side is fork.cpp; the argument about the handing over is there.
#include "team/serve.hpp"

#include "base/say.hpp"
#include "config/settings.hpp"
#include "team/affinity.hpp"
#include "team/attentive.hpp"
#include "team/fork.hpp"
#include "team/places.hpp"
#include "team/waiting.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// The site of waiting for the next region, after the region of `site`.
constexpr uint32_t after(uint32_t site) { return site + 1; }

void take_part(Member& me, const Call& call, uint64_t number) {
  me.start(number);
  self = &me;
  me.worker->bind_to(me.place);
  if (me.team->announce) display_affinity(me, {});
  call.run(me, call);
  end_cancellable(me);
  run_dry(me);
  // I3 of sync/handover.hpp
  VICINO_CHECK(I3, sync::Go::number(me.team->mailbox(me.id).go.peek()) == number);
  gather(*me.team, me.team->layout(), me.id, ++me.meeting, Attentive{me, me.waiting()});
}

// Returns when the team has dissolved.
void serve_team(Worker& worker) {
  const auto [team, id, first_seen, first_limits] = worker.assignment;
  Member& me = team->member(id);
  const Mailbox& box = team->mailbox(id);
  sync::Listener listener(id, team->group_gate(id), team->own_gate(id), first_seen);
  const sync::PatienceLimits* limits = first_limits;
  uint32_t site = 0;
  uint64_t go;
  while (go = listener.next(Attentive{me, {worker.patience(after(site)), *limits}}),
         sync::Go::size(go) != sync::Go::kDissolve) {
    limits = team->patience;  // read within the region: the primary thread may write it after
    site = team->site;
    take_part(me, box.call, sync::Go::number(go));
  }
  self = nullptr;
  me.post.gathered.open(sync::Go::number(go));  // the last I do with this team
}

}  // namespace

void serve(Worker& worker) {
  // Where threads are bound the creator may be, and its mask is not ours. Elsewhere a mask that it
  // has is the program's own wish.
  const auto& binds = config::settings().proc_bind;
  if (!binds.empty() && binds[0] != topo::Bind::kFalse) run_on(topo::Machine::here().cpus());
  sync::Patience idle;
  for (uint64_t done = 0;;) {
    done = worker.assigned.wait([done](uint64_t n) { return n > done; }, idle, limits_for(1));
    serve_team(worker);
  }
}

}  // namespace vicino::team
