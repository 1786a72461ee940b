// roots.cpp: the program's threads that use OpenMP, from their first call to their end; and what
// fork() of the process needs.
#include "region/roots.hpp"

#include <pthread.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "base/file.hpp"
#include "base/kept_errno.hpp"
#include "base/thread_id.hpp"
#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "event/inquiry.hpp"
#include "event/regions.hpp"
#include "event/start.hpp"
#include "event/useful.hpp"
#include "graph/guard.hpp"
#include "lend/guest.hpp"
#include "lend/lending.hpp"
#include "plat/lost_time.hpp"
#include "region/affinity.hpp"
#include "region/display.hpp"
#include "region/foreign.hpp"
#include "region/graph.hpp"
#include "region/leaders.hpp"
#include "region/pages.hpp"
#include "region/report.hpp"
#include "region/room.hpp"
#include "region/serve.hpp"
#include "region/threadprivate.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/explain.hpp"
#include "site/metering.hpp"
#include "site/page_profile.hpp"
#include "site/profile.hpp"
#include "site/site_rule.hpp"
#include "site/stats.hpp"
#include "sync/cold.hpp"
#include "task/registry.hpp"
#include "tasking/dependences.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/left.hpp"
#include "tasking/repeated.hpp"
#include "tasking/serving.hpp"
#include "tasking/tasks.hpp"
#include "team/contention.hpp"
#include "team/places.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"
#include "topo/process_mask.hpp"
#include "topo/recorded.hpp"

namespace vicino::region {

using team::Contention;
using team::Icvs;
using team::limits_for;
using team::Member;
using team::Pool;
using team::self;
using team::Team;
using team::Worker;
namespace {

// Whether main() has called pthread_exit(): then the process lives until its last thread ends.
bool initial_thread_ends() {
  if (thread_id() == getpid()) return true;
  // Of the initial thread; its state follows its name.
  const std::string line = read_file("/proc/self/stat");
  const std::size_t name = line.rfind(") ");
  return name != line.npos && line.substr(name + 2, 1) == "Z";
}

void end_idle_threads() {
  while (Pool::get().end_idle()) {
  }
}

// Runs when a thread of the program ends: its workers go back to the pool, and its number becomes
// free.
void retire(void* root) {
  auto* worker = static_cast<Worker*>(root);
  // It leaves a region, by pthread_exit() or because it was cancelled. The others may still be in it.
  if (self != nullptr && self->team->parent != nullptr) return leave_leaders();
  tasking::run_left_tasks();
  dissolve_teams(*worker);
  if (worker->initial->icvs.watched()) event::root_ends(worker->initial->member(0));
  ompt::thread = nullptr;
  end_threadprivate(*worker);
  tasking::fulfilling.await_empty();  // a destructor of the program may have run tasks with events
  leave_pages(*worker);
  leave_leaders();
  drop_vertices(*worker, *worker->initial);
  self = nullptr;
  delete worker->initial->contention;
  plat::leave_cpu();
  Pool::get().remove_root(worker);
  if (Pool::get().roots() == 0 && initial_thread_ends()) end_idle_threads();
}

pthread_key_t retire_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, retire);
    return made;
  }();
  return key;
}

// The ICVs that a thread has set before it met a construct; null if it has set none.
thread_local constinit Icvs* set_early = nullptr;

// Sets the pointer to null, for destructors of other keys may still ask for ICVs.
void forget_early(void*) { delete std::exchange(set_early, nullptr); }

pthread_key_t early_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, forget_early);
    return made;
  }();
  return key;
}

Icvs take_early() {
  const std::unique_ptr<Icvs> early(std::exchange(set_early, nullptr));
  if (early == nullptr) return team::initial_icvs();
  pthread_setspecific(early_key(), nullptr);
  return *early;
}

void give_initial_team(Worker& worker, Contention* contention) {
  worker.initial = std::make_unique<Team>(worker, true);
  Team& team = *worker.initial;
  team.icvs = take_early();
  if (team.options.watched) team.icvs.special |= Icvs::kWatched;
  team.contention = contention;
  team.patience = &limits_for(1);
  Member& member = team.member(0);
  team.arrange(1, topo::Bind::kFalse, member);
  member.start(1);
  self = &member;
}

// Many short programs have only regions of one thread, because their loops are small. Such a region
// needs the topology only if threads are bound, or if the task scheduler keeps tasks by node.
bool needs_machine_at_once() {
  const config::Settings& settings = config::settings();
  return !settings.proc_bind.empty() || !settings.places.empty() ||
         task::kRows[static_cast<size_t>(settings.task_scheduler)].queue ==
             task::QueueKind::kDomain;
}

// One fork at a time, for a gate has no count of those that close it.
constinit sync::Lock forking;

// What lies in objects that the child may use is held, or behind a gate, in the order in which other threads may take
// the one while they have the other: in fulfill() a thread may meet OpenMP first, a thread in Cold may ask a graph.
// Locks of the program's (omp_lock_t) are the program's affair, as a mutex of POSIX is, and those of a team or of a
// construct are never met again: the child leaves its teams. What other processes see of files is locked in files.
void before_fork() {
  forking.acquire({.ns = 10'000});
  tasking::fulfilling.close();
  sync::FirstCall::take();
  sync::Cold::take();
  tasking::hold_agents();
  config::hold_settings();
  topo::hold_reading();
  graph::gate.close();
  site::list_of_objects.close();
}

void after_fork_parent() {
  site::list_of_objects.open();
  graph::gate.open();
  topo::release_reading();
  config::release_settings();
  tasking::release_agents();
  sync::Cold::leave();
  sync::FirstCall::leave();
  tasking::fulfilling.open();
  forking.release();
}

// Free agents that ran tasks of the initial team are gone with these tasks, and the child must not
// wait for them. It gets an initial team without tasks, with the same ICVs.
void leave_lost_tasks(Worker& worker) {
  Team& team = *worker.initial;
  team.tasks.is_host.store(false, std::memory_order_relaxed);
  if (team.tasks.agents.load(std::memory_order_relaxed) == 0) return;
  const Icvs icvs = *team.member(0).icvs;
  worker.initial.release();  // the child's stack may go on in it
  give_initial_team(worker, team.contention);
  worker.initial->icvs = icvs;
}

// The child has one thread, the caller. It keeps its number and its settings; its teams are gone
// with their threads. If it was in a region, it is in a sequential part from here on. It still has
// its stack, with the tasks and locks that Worker::budget counts. Stores are relaxed, for
// there is no other thread.
void after_fork_child() {
  sync::criticals.survive_fork();
  site::list_of_objects.open_in_child();
  graph::gate.open_in_child();
  topo::release_reading();
  config::release_settings();
  lend::forget();
  tasking::forget_agents();
  tasking::release_agents();
  event::forget_search();
  plat::forget_others();
  forget_room();
  forget_leaders();
  Worker* worker = self != nullptr ? self->worker : nullptr;
  Pool::get().empty(worker);
  site::forget_counters(worker != nullptr ? &worker->counter : nullptr);
  site::forget_counts(worker != nullptr ? &worker->counts() : nullptr);
  event::forget_use();
  sync::Cold::leave();
  sync::FirstCall::leave();
  tasking::fulfilling.open_in_child();
  forking.release();
  forget_pages();
  if (worker == nullptr) return;
  worker->forget_teams();
  if (worker->initial != nullptr) {
    leave_lost_tasks(*worker);
    worker->initial->contention->forget();
    self = &worker->initial->member(0);
  } else {
    give_initial_team(*worker, new Contention);
  }
  // The mask was meant for a thread of the parent, not for this process. A new team takes its thread
  // to a rank's share, so this comes last.
  worker->let_go();
  worker->guest->forget();
  if (self->team->icvs.watched()) event::after_fork(*self);
}

void end_threads() noexcept {
  const bool in_region = self != nullptr && self->team->parent != nullptr;
  const bool is_root = self != nullptr && !in_region && self->team->icvs.watched();
  if (!in_region) lend::give_back();  // the threads that end are on borrowed cores
  if (is_root) dissolve_teams(*self->worker);
  if (!in_region) end_idle_threads();
  if (is_root) {
    event::root_ends(*self);
    for (Icvs* icvs : {&self->own, &self->team->icvs})
      icvs->special = static_cast<uint8_t>(icvs->special & ~Icvs::kWatched);
    self->tasks.standing.implicit().flags &= static_cast<uint8_t>(~team::Task::kWatched);
  }
}

[[gnu::constructor]] void watch_process() {
  pthread_atfork(before_fork, after_fork_parent, after_fork_child);
  event::end_threads = end_threads;
  tasking::run_graph = run_in_place;
  tasking::begins_outside_regions = tasking::run_before_the_end;
}

void tell_of_missing_trace() {
  const config::Settings& settings = config::settings();
  if (!settings.trace.empty() && settings.process == getpid() &&
      ompt::watch.load(std::memory_order_relaxed) == ompt::kUnknown)
    say("there is no trace: the program has not used OpenMP");
}

// All that is kept or told at the process's end. One function fixes the order; the order of several
// destructors would be that in which the linker met their files.
[[gnu::destructor]] void tell_at_the_end() {
  const Uncancelled uncancelled;
  tasking::run_left_tasks();
  const PlainNumbers plain;  // JSON has points
  tell_of_missing_trace();
  event::shut_down_tool();
  site::add_to_profile();
  site::print_stats();
  if (!site::is_forked_child()) display_env_if_asked();
  if (!config::settings().explain.empty()) site::explain(site::placed_pages());
  site::tell_of_idle_rules();
  say_who_uses_foreign_runtimes();
  report_if_asked();
  lend::leave();
}

}  // namespace

const Icvs& icvs_without_member() noexcept {
  return set_early != nullptr ? *set_early : team::initial_icvs();
}

Icvs& writable_icvs_now() {
  if (self != nullptr) return self->writable_icvs();
  if (set_early == nullptr) {
    const sync::FirstCall first;
    set_early = new Icvs(team::initial_icvs());
    pthread_setspecific(early_key(), set_early);
  }
  return *set_early;
}

int place_now() {
  const bool may_have_place = !config::settings().frees_primary && topo::to_places(icvs_now().bind);
  return self != nullptr || may_have_place ? place_of(me()) : -1;
}

Member& become_root() noexcept {
  const KeptErrno kept;
  event::start();
  {
    const sync::FirstCall first;
    display_env_if_asked();
    topo::undo_foreign_binding();
    if (team::make_records == nullptr) team::make_records = tasking::make_records;
    if (needs_machine_at_once()) team::read_machine();
    site::objective();
    site::read_profile();
    Worker* worker = Pool::get().add_root(serve);
    worker->budget = task::CallBudget(std::exchange(team::early_locks, 0u));
    give_initial_team(*worker, new Contention);
    pthread_setspecific(retire_key(), worker);
  }
  if (self->team->icvs.watched()) event::root_begins(*self);
  return *self;
}

}  // namespace vicino::region
