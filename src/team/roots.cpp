// roots.cpp: threads of the program that use OpenMP, from their first call to their end; and
// fork().
#include <pthread.h>
#include <unistd.h>

#include "team/cold.hpp"
#include "team/dependences.hpp"
#include "team/metering.hpp"
#include "team/places.hpp"
#include "team/pool.hpp"
#include "team/threadprivate.hpp"
#include "team/tuned.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

// Runs when a thread of the program ends: its workers go back to the pool, its number is free.
void retire(void* root) {
  auto* worker = static_cast<Worker*>(root);
  worker->dissolve_teams();
  end_threadprivate(*worker);
  self = nullptr;
  delete worker->initial->contention;
  Pool::get().remove_root(worker);
}

pthread_key_t retire_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, retire);
    return made;
  }();
  return key;
}

void give_initial_team(Worker& worker, Contention* contention) {
  worker.initial = std::make_unique<Team>(worker);
  Team& team = *worker.initial;
  team.icvs = Icvs::initial();
  team.contention = contention;
  team.patience = &limits_for(1);
  Member& member = team.member(0);
  team.arrange(1, topo::Bind::kFalse, member);
  member.start(1);
  self = &member;
}

// Held through a thread's first call, in which all is made that is made once, each behind a guard
// of its language: a child of fork() would find a guard that another thread was behind shut for
// ever. Taken before Cold.
constinit sync::Lock beginning;

void take_beginning() { beginning.acquire({.ns = 10'000}); }

void before_fork() {
  take_beginning();
  Cold::take();
}

void after_fork_parent() {
  Cold::leave();
  beginning.release();
}

// The child has one thread: this one. It keeps its number and its settings; its teams are gone with
// their threads. In a region, it is from here on in a sequential part.
void after_fork_child() {
  forget_fulfilling();
  Worker* worker = self != nullptr ? self->worker : nullptr;
  Pool::get().empty(worker);
  forget_counters(worker);
  Cold::leave();
  beginning.release();
  if (worker == nullptr) return;
  worker->bind_to(-1);  // the mask was for this thread, not for another process
  worker->forget_teams();
  worker->tasks_below = 0;
  if (worker->initial != nullptr) {
    Member& member = worker->initial->member(0);
    worker->initial->contention->threads.store(1, std::memory_order_relaxed);
    self = &member;
  } else {
    give_initial_team(*worker, new Contention);
  }
}

[[gnu::constructor]] void watch_fork() {
  pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

}  // namespace

Member& become_root() {
  take_beginning();
  places();
  tuned_schedules(SiteKey::Kind::kLoop);
  objective();
  read_profile();
  Worker* worker = Pool::get().add_root();
  give_initial_team(*worker, new Contention);
  pthread_setspecific(retire_key(), worker);
  beginning.release();
  return *self;
}

}  // namespace vicino::team
