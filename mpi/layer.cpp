// layer.cpp: the layer's state in a process, and what is counted of a call.
#include <dlfcn.h>

#include "base/say.hpp"
#include "job_report.hpp"
#include "lend.hpp"
#include "this_mpi.hpp"
#include "through.hpp"

namespace vicino::pmpi {
namespace {

using Slack = void(uint64_t ns);

void no_slack(uint64_t) {}

// Relaxed: threads that look at the same time find the same function.
constinit std::atomic<Slack*> slack{nullptr};

Slack* find_slack() noexcept {
  Slack* found = reinterpret_cast<Slack*>(dlsym(RTLD_DEFAULT, "vicino_slack_add"));
  if (found == nullptr) found = no_slack;
  slack.store(found, std::memory_order_relaxed);
  return found;
}

// Whether two threads may be in MPI at once. Written while MPI begins: no other thread may call it
// then.
constinit bool calls_can_coincide = true;

// Atomic only where it must be: an atomic addition takes five times as long. Where calls cannot
// coincide the program orders them, by its own means.
void add(std::atomic<uint64_t>& sum, uint64_t number) noexcept {
  if (calls_can_coincide)
    sum.fetch_add(number, std::memory_order_relaxed);
  else
    sum.store(sum.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
}

// The thread that has begun MPI, and must end it.
thread_local constinit bool is_main = false;

// Only that thread touches it.
struct Main {
  bool begun = false;
  uint64_t began_at = 0, inside_ns = 0, waiting_ns = 0;
};
constinit Main of_main;

}  // namespace

void count(Function& function, Caller caller, uint64_t ns, uint64_t bytes) noexcept {
  Site& site = site_of(function, caller);
  const uint64_t waiting = function.waiting(ns, bytes);
  add(site.calls, 1);
  add(site.bytes, bytes);
  add(site.ns, ns);
  add(site.waiting_ns, waiting);
  if (is_main) {
    of_main.inside_ns += ns;
    of_main.waiting_ns += waiting;
  }
  Slack* tell = slack.load(std::memory_order_relaxed);
  if (tell == nullptr) tell = find_slack();
  tell(waiting);
}

void began() noexcept {
  find_slack();
  end_to_measure_ticks();
  int level = MPI_THREAD_MULTIPLE;
  Real<decltype(&PMPI_Query_thread)>("PMPI_Query_thread").get()(&level);
  calls_can_coincide = level == MPI_THREAD_MULTIPLE;
  is_main = true;
  agree_on_lending();
  of_main = {.begun = true, .began_at = plat::now()};
}

void ending() noexcept {
  // On whatever thread: the other ranks wait for this one's times.
  if (!of_main.begun) return;
  of_main.begun = false;
  if (report_is_asked_for())
    write_job_report({plat::now() - of_main.began_at, of_main.inside_ns, of_main.waiting_ns});
}

void aborting_now() noexcept {
  if (report_is_asked_for()) say("MPI_Abort was called: there is no report of the job");
}

}  // namespace vicino::pmpi
