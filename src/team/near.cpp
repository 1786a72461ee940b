#include "team/near.hpp"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/thread_id.hpp"
#include "lend/guest.hpp"
#include "plat/lost_time.hpp"
#include "team/places.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"
#include "topo/near.hpp"
#include "topo/process_mask.hpp"
#include "topo/rank_share.hpp"

namespace vicino::team {
namespace {

using topo::Level;
using topo::Machine;

// Relaxed: only different numbers are needed.
int new_number() noexcept {
  static plat::atomic<int> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// The domain of the CPU on which the calling thread runs; -1 if it is not one of the machine's.
int domain_here(Level level) noexcept { return Machine::here().domain_at(level, sched_getcpu()); }

}  // namespace

void NearThread::stay_at(int spot, int all, bool watches) noexcept {
  if (spot != spot_ || all != all_) {
    all_ = all;
    give(spot);
    spot_ = spot;
    is_away_ = false;
    if (watches) watch_.restart(plat::now(), plat::thread_times());
    return;
  }
  if (!watches) return;
  const uint64_t now = plat::now();
  if (!watch_.is_due(now)) return;
  const bool away = watch_.look(now, plat::thread_times());
  if (away == is_away_) return;
  is_away_ = away;
  give(away ? all_ : spot_);
}

void NearThread::leave() noexcept {
  lift();
  spot_ = -1;
}

int NearThread::lift() noexcept {
  const int was = given_;
  if (was == all_) return -1;
  give(all_);
  return given_ == all_ ? was : -1;
}

Narrowed NearThread::narrowed() const noexcept {
  if (given_ < 0 || all_ < 0 || given_ == all_) return {};
  const CpuSet& given = spots()[given_];
  if (!topo::has_mask(0, given)) return {};
  return {&given, &spots()[all_]};
}

// By the thread itself. In a child of fork() it has another number than before.
void NearThread::give(int spot) noexcept {
  thread_ = thread_id();
  if (given_ >= 0 && !has_its_mask(spots()[all_])) return;
  if (run_on(spots()[spot])) given_ = spot;
}

bool NearThread::has_its_mask(const CpuSet& all) const noexcept {
  if (given_ < 0) return true;
  const CpuSet now = topo::mask_of_thread(thread_);
  const CpuSet& given = spots()[given_];
  // Where the process's CPUs become fewer, the kernel takes those that are gone from each mask.
  return now == given || now == all || now == (given & all) || topo::is_outside_share(now);
}

int NearTeam::look(const Team& team, int members) noexcept {
  if (Machine::here().recorded()) {  // no thread is bound
    if (number_ == 0) {
      number_ = 1;
      all_ = add_spot(Machine::here().cpus());
      home_ = 0;
    }
    return number_;
  }
  const uint64_t now = plat::now();
  if (number_ == 0 || now - looked_ >= kLookNs) {
    looked_ = now;
    if (has_changed()) renew(team);
  }
  if (number_ == kKeepsOut) return number_;
  look_at_size(members, now);
  if (!at_home_.test(sched_getcpu())) send_home(now);
  return number_;
}

void NearTeam::look_at_size(int members, uint64_t now) noexcept {
  if (members != wide_) {
    // Nodes are filled: there each member keeps its own. A team with more threads than cores is divided anew.
    if (Machine::here().near_level() == Level::kNode || members > cores_) return;
    lately_ = std::max(lately_, members);
    if (members < wide_ && now - wide_since_ < kWideNs) return;
    wide_ = lately_;
    number_ = new_number();
  }
  wide_since_ = now;
  lately_ = 0;
}

const std::vector<int>& NearTeam::spots_of(int members) {
  const int as_of = members <= cores_ ? std::max(wide_, members) : members;
  if (spots_number_ == number_ && spots_.size() == static_cast<size_t>(as_of)) return spots_;
  spots_ = spots_on(all_, Machine::here().near_level(), home_, as_of);
  spots_number_ = number_;
  return spots_;
}

// Whether the primary thread's mask has changed since the last call.
bool NearTeam::has_changed() noexcept {
  unsigned long now[CpuSet::kMaxCpus / 64];
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof now, now);
  if (bytes <= 0) return number_ == 0;
  const std::span mask(now, static_cast<size_t>(bytes) / sizeof now[0]);
  if (std::ranges::equal(mask, mask_)) return false;
  mask_.assign(mask.begin(), mask.end());
  return true;
}

void NearTeam::renew(const Team& team) {
  const CpuSet mask = CpuSet::from_kernel(mask_);
  bool keeps_out = false;
  for (int i = 1; i < team.attached; ++i) {
    const NearThread* const near = team.member(i).worker->near();
    const bool is_guest = team.member(i).worker->guest->is_away();
    if (near != nullptr && !is_guest && !near->has_its_mask(mask)) keeps_out = true;
  }
  const Machine& machine = Machine::here();
  const CpuSet cpus = mask & machine.cpus();
  all_ = keeps_out || cpus.empty() ? -1 : add_spot(cpus);
  number_ = all_ < 0 ? kKeepsOut : new_number();
  if (number_ == kKeepsOut) return;
  cores_ = topo::cores_in(machine, cpus);
  wide_ = lately_ = 0;
  const Level level = machine.near_level();
  home_ = domain_here(level);
  if (home_ < 0 || !cpus.intersects(machine.domains(level)[static_cast<size_t>(home_)].cpus))
    home_ = machine.domain_at(level, cpus.first());
  at_home_ = topo::cpus_near(machine, level, home_, cpus);
}

void NearTeam::send_home(uint64_t now) noexcept {
  const uint64_t passed = now - sent_home_;
  if (passed < between_.pause()) return;
  between_.note(passed < 16 * between_.pause());  // it was moved again soon
  sent_home_ = now;
  if (run_on(at_home_)) run_on(spots()[all_]);
}

void hold_primary(Team& team) noexcept {
  Member& primary = team.member(0);
  if (!binds_near() || bound_node(primary) < 0) return;
  primary.worker->bind_to(primary.bound.spot);
  team.at_end |= kPrimaryHeld;
}

std::vector<CpuSet> near_blocks() {
  const Machine& machine = Machine::here();
  const Worker::Range range = self != nullptr ? self->worker->range : Worker::Range();
  const CpuSet& cpus = range.all >= 0 ? spots()[range.all] : machine.cpus();
  const Level level = machine.near_level();
  const int first = range.home >= 0 ? range.home : std::max(domain_here(level), 0);
  std::vector<CpuSet> blocks;
  for (const int domain :
       topo::domains_near(machine, level, cpus, first, machine.default_team_size()))
    blocks.push_back(machine.domains(level)[static_cast<size_t>(domain)].cpus & cpus);
  return blocks;
}

}  // namespace vicino::team
