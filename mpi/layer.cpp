// layer.cpp: the layer's state in a process, and what is counted of a call.
#include <dlfcn.h>

#include <algorithm>

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
  if (calls_can_coincide) [[unlikely]]
    sum.fetch_add(number, std::memory_order_relaxed);
  else
    sum.store(sum.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
}

// When the thread's last timed call ended.
thread_local constinit uint64_t last_end = 0;

// The thread that has begun MPI, and must end it.
thread_local constinit bool is_main = false;

// Only that thread touches it.
struct Main {
  bool begun = false;
  uint64_t began_at = 0, inside_ns = 0, waiting_ns = 0;
};
constinit Main of_main;

// The thread has not been at the site lately.
[[gnu::noinline, gnu::cold]] Site& count_elsewhere(Function& function, Caller caller,
                                                   uint64_t bytes) noexcept {
  find_site(recent_site(caller), function, caller);
  return count(function, caller, bytes);
}

}  // namespace

Site& count(Function& function, Caller caller, uint64_t bytes) noexcept {
  const Recent& recent = recent_site(caller);
  if (!recent.is(function, caller)) [[unlikely]]
    return count_elsewhere(function, caller, bytes);
  Site& site = *recent.site;
  add(site.calls, 1);
  add(site.bytes, bytes);
  return site;
}

void count_time(Site& site, Function& function, uint64_t begin, uint64_t end,
                uint64_t bytes) noexcept {
  const uint64_t ns = ns_between(begin, end);
  const uint64_t calls = pace.ended(ns_between(last_end, begin), ns);
  last_end = end;
  const uint64_t inside = calls * ns, waiting = calls * function.waiting(ns, bytes);
  add(site.ns, inside);
  add(site.waiting_ns, waiting);
  if (is_main) {
    of_main.inside_ns += inside;
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
  look_for_trace();
  of_main = {.begun = true, .began_at = plat::now()};
}

void ending() noexcept {
  // On whatever thread: the other ranks wait for this one's times.
  if (!of_main.begun) return;
  of_main.begun = false;
  if (!report_is_asked_for()) return;
  const uint64_t wall = plat::now() - of_main.began_at;
  // What is told of calls that were not timed is an estimate.
  const uint64_t inside = std::min(wall, of_main.inside_ns);
  write_job_report({wall, inside, std::min(inside, of_main.waiting_ns)});
}

void aborting_now() noexcept {
  if (report_is_asked_for()) say("MPI_Abort was called: there is no report of the job");
}

}  // namespace vicino::pmpi
