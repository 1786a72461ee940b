// layer.cpp: the layer's state in a process, and what is counted of a call.
#include <dlfcn.h>

#include "base/say.hpp"
#include "job_report.hpp"
#include "lend.hpp"
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

// The thread that has begun MPI, and must end it.
thread_local constinit bool is_main = false;

// Only that thread touches it.
struct Main {
  bool begun = false;
  uint64_t began_at = 0, inside_ns = 0, waiting_ns = 0;
};
constinit Main of_main;

}  // namespace

void count(Function& function, const Caller& caller, uint64_t ns, uint64_t bytes) noexcept {
  Site& site = site_of(function, caller);
  const uint64_t waiting = function.waiting(ns, bytes);
  site.calls.fetch_add(1, std::memory_order_relaxed);
  site.bytes.fetch_add(bytes, std::memory_order_relaxed);
  site.ns.fetch_add(ns, std::memory_order_relaxed);
  site.waiting_ns.fetch_add(waiting, std::memory_order_relaxed);
  if (is_main) {
    of_main.inside_ns += ns;
    of_main.waiting_ns += waiting;
  }
  Slack* add = slack.load(std::memory_order_relaxed);
  if (add == nullptr) add = find_slack();
  add(waiting);
}

void began() noexcept {
  find_slack();
  is_main = true;
  agree_on_lending();
  of_main = {.begun = true, .began_at = plat::now()};
}

void ending() noexcept {
  if (!is_main || !of_main.begun) return;
  of_main.begun = false;
  if (report_is_asked_for())
    write_job_report({plat::now() - of_main.began_at, of_main.inside_ns, of_main.waiting_ns});
}

void aborting_now() noexcept {
  if (report_is_asked_for()) say("MPI_Abort was called: there is no report of the job");
}

}  // namespace vicino::pmpi
