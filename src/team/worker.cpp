#include "team/worker.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lend/guest.hpp"
#include "lend/lending.hpp"
#include "site/counts.hpp"
#include "site/metering.hpp"
#include "sync/handover.hpp"
#include "team/inherited.hpp"
#include "team/near.hpp"
#include "team/places.hpp"
#include "team/pool.hpp"
#include "topo/allowance.hpp"
#include "topo/machine.hpp"
#include "topo/process_mask.hpp"
#include "topo/rank_share.hpp"

namespace vicino::team {

thread_local constinit Member* self = nullptr;
thread_local constinit uint32_t early_locks = 0;

namespace {

// The memories of threads that have ended. The Cold lock protects the list: Workers are made and
// destroyed under it.
std::vector<TaskMemory*>& spare_memories() {
  static auto& memories = *new std::vector<TaskMemory*>;
  return memories;
}

TaskMemory* take_memory() {
  auto& spare = spare_memories();
  if (spare.empty()) return new TaskMemory;
  TaskMemory* const memory = spare.back();
  spare.pop_back();
  return memory;
}

// The last team that a child of fork() has put aside. It is not destroyed, because threads that are
// gone may have been using it; it stays known, so that a search for leaks does not name it. The
// list goes through the teams, so that a child need not allocate. It has one thread.
constinit Team* last_forgotten = nullptr;

void forget(std::unique_ptr<Team>& team) noexcept {
  team->older_forgotten = last_forgotten;
  last_forgotten = team.release();
}

}  // namespace

void Stack::look() noexcept {
  if (known_) return;
  known_ = true;
  bytes_ = UINTPTR_MAX;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest;
  size_t size;
  if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) {
    half_ = reinterpret_cast<uintptr_t>(lowest) + size / 2;
    bytes_ = size - size / 2;
  }
  pthread_attr_destroy(&attributes);
}

Worker::Worker(int gtid)
    : guest(std::make_unique<lend::Guest>()),
      gtid_(gtid),
      counts_(&site::take_counts(gtid)),
      memory_(take_memory()) {}
Worker::~Worker() {
  site::close_counter(counter);
  site::leave_counts(*counts_);
  spare_memories().push_back(memory_);
}

Team& Worker::push_serial() {
  if (serial_depth_ == serial_.size()) serial_.push_back(std::make_unique<Team>(*this, true));
  return *serial_[serial_depth_++];
}

Team& Worker::push_hot() {
  if (hot_depth_ == hot_.size()) hot_.push_back(std::make_unique<Team>(*this, false));
  return *hot_[hot_depth_++];
}

void Worker::make_near() {
  if (near_ == nullptr) near_ = std::make_unique<NearThread>();
}

void Worker::change_spot(int spot, const Range& its_range) noexcept {
  if (spot_ == kOutside) {
    spot_ = -1;
    topo::enter_share();
    if (spot < 0) return;
  }
  if (near_ != nullptr && near_->is_settled_at(spot, its_range.all, its_range.watches)) return;
  if (guest->is_away()) return;
  if (binds_near()) {
    make_near();
    return near_->stay_at(spot, its_range.all, its_range.watches);
  }
  if (!run_on(spot < 0 ? topo::Machine::here().cpus() : spots()[spot])) return;
  spot_ = spot;
  // Once: later this may be called under the lock that the call takes, when a bound thread starts
  // another one. Not where the system lets nobody bind threads: it would refuse the new ones.
  if (initial != nullptr && !std::exchange(has_been_bound_, true)) keep_mask_from_new_threads();
}

void Worker::take_over_inherited() noexcept {
  if (inherited == nullptr) return;
  inherited->take_over(near_ == nullptr && spot_ < 0 && !guest->is_away());
  inherited.reset();
}

void Worker::unbind() noexcept {
  if (near_ != nullptr && !guest->is_away())
    near_->leave();
  else
    lift_binding();
}

void Worker::let_go() noexcept {
  unbind();
  if (!topo::leave_share()) return;
  spot_ = kOutside;
  for (auto* teams : {&hot_, &serial_})
    for (auto& team : *teams) team->forget_arrangement();
}

int Worker::lift_binding() noexcept {
  if (guest->is_away()) return topo::run_on(0, topo::process_mask()) ? kGuest : -1;
  if (near_ != nullptr) return near_->lift();
  const int was = spot_;
  // A mask that the program has given to the thread stays.
  if (was < 0 || !topo::has_mask(0, spots()[was])) return -1;
  bind_to(-1);
  return was;
}

Narrowed Worker::narrowed() const noexcept {
  if (guest->is_away()) return {nullptr, &topo::process_mask()};
  if (near_ != nullptr) return near_->narrowed();
  if (spot_ < 0) return {};
  const CpuSet& spot = spots()[spot_];
  if (!topo::has_mask(0, spot)) return {};
  return {&spot, &topo::Machine::here().cpus()};
}

// A bound thread of a rank with a share would have the whole process's CPUs.
Narrowed narrowed_mask() noexcept {
  const Narrowed bound = self != nullptr ? self->worker->narrowed() : Narrowed();
  if (bound.otherwise != nullptr)
    return {bound.now, topo::is_share(*bound.otherwise) ? &topo::process_mask() : bound.otherwise};
  const CpuSet* const share = topo::share_of_caller();
  return {share, share != nullptr ? &topo::process_mask() : nullptr};
}

void Worker::restore_binding(int spot) noexcept {
  if (spot == kGuest) {
    topo::run_on(0, topo::allowance().cpus);
    guest->settle();
  } else if (near_ != nullptr) {
    near_->restore(spot);
  } else {
    bind_to(spot);
  }
}

void Worker::call_teams_off() {
  if (gtid_ == 0) lend::forget_placing();
  for (auto& team : hot_) {
    const uint64_t number = team->member(0).generation + 1;
    sync::call_off(*team, number, team->attached);
    for (int i = 1; i < team->attached; ++i) {
      Member& member = team->member(i);
      // G2 of sync/event_count.hpp; pairs with the worker's last advance in serve_team() of
      // region/serve.cpp (G1).
      member.flags.gathered.wait_for(number, patience(0), *team->patience);
      Pool::get().put_back(*member.worker);
    }
    if (initial != nullptr && team == hot_.front() && team->attached > 1)
      Pool::get().count_awake(-team->awake);
  }
}

void Worker::forget_teams() {
  for (auto& team : hot_) forget(team);
  hot_.clear();
  // Nobody else has used those of a single thread. But the child may have begun in one, and its
  // stack goes on there; the spare ones stay.
  const auto spare = serial_.begin() + static_cast<std::ptrdiff_t>(serial_depth_);
  std::for_each(serial_.begin(), spare, forget);
  serial_.erase(serial_.begin(), spare);
  hot_depth_ = serial_depth_ = 0;
}

}  // namespace vicino::team
