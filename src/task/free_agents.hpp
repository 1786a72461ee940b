// free_agents.hpp: which teams have tasks for threads of no team, and how many such threads look for one.
//
// Why    A task with the clause threadset(omp_pool) may be run by a thread that is in no team's region: a free
//        agent. The thread is no member of the team, so nothing of the team's barriers knows it, and it must not
//        touch a team that has gone.
// Rule   A team that shows a task to free agents is a host from then on, until its region has ended. A free agent
//        takes a task of a host, and enters the team's termination detector with it, under the lock of the list of
//        hosts; it leaves the detector under the same lock. In between it works for the team as a member does. The
//        thread that ends the region closes the host when the detector is at rest.
// Cost   in a program that shows no task: nothing. Else two short sections under the lock for each task that a free
//        agent runs, and two RMWs for each task that is shown.
// Not    a way to wake a free agent for a task: one that finds none soon ends, and the thread that shows the next
//        task calls one up. So a shown task always has the team's own threads to run it.
//
// Invariants
//  I1 a free agent touches a host only under the lock while the host is in the list, or while the host's termination
//     detector is not at rest because of it: the task that it took is not done, or it is counted at work. It leaves
//     by its last access to the host, under the lock.
//  I2 close() is called when the detector is at rest. So no free agent is between taking and leaving, but for one
//     that is about to give the lock back; close() waits for that. After close() none touches the host.
//  I3 a free agent that has taken a task joins the detector before it runs it. The detector is not at rest
//     meanwhile, for the task is counted in some balance, so join() is allowed (I3 of termination.hpp).
//  I4 `serving_` is the number of free agents that were called up and have not ended.
// Memory order
//  A1 the thread that shows a task puts it into the host's queue, then reads `serving_`; a free agent that ends takes
//     itself out of `serving_`, then looks at the queues once more. All four are sequentially consistent (the queue's
//     size: C2 of queues.hpp), so one of the two sees the other: either a free agent is called up, or the one that ends
//     finds the task and stays.
//  What a free agent reads of a host is published by the lock (L1 and L2 of sync/lock.hpp) and by the queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plat/plat.hpp"
#include "sync/lock.hpp"

namespace vicino::task {

template <class Host>
class FreeAgents {
 public:
  // The host is to show its first task in this region. Several of its threads may call this at once.
  void open(Host& host) {
    hold();
    if (std::ranges::find(hosts_, &host) == hosts_.end()) hosts_.push_back(&host);
    release();
  }
  // The host's region has ended: no task of it is left (I2).
  void close(Host& host) noexcept {
    hold();
    std::erase(hosts_, &host);
    release();
  }

  // A task was shown. True if the calling thread has to call a free agent up: there are fewer than `wanted`.
  bool calls_up(int wanted) noexcept {
    shown_.fetch_add(1, std::memory_order_relaxed);
    int serving = serving_.load(std::memory_order_seq_cst);  // A1
    while (serving < wanted)
      if (serving_.compare_exchange_weak(serving, serving + 1, std::memory_order_seq_cst))
        return true;
    return false;
  }
  // No thread could be had.
  void is_refused() noexcept { serving_.fetch_sub(1, std::memory_order_seq_cst); }

  // By a free agent: the first result of take(host), for a pointer to a host, that is not null. take() also joins
  // the host's detector.
  template <class Take>
  auto take(Take take) {
    hold();
    decltype(take(hosts_.front())) task = nullptr;
    for (size_t i = 0; i < hosts_.size() && task == nullptr; ++i) task = take(hosts_[i]);
    release();
    return task;
  }
  // leave() makes the free agent's last accesses to the host (I1).
  template <class Leave>
  void leave(Leave leave) noexcept {
    hold();
    leave();
    release();
  }
  // By a free agent that has found nothing for a while: true if it ends. offers(host): whether a task of the host
  // waits for one.
  template <class Offers>
  bool ends(Offers offers) noexcept {
    serving_.fetch_sub(1, std::memory_order_seq_cst);  // A1
    hold();
    const bool stays = std::ranges::any_of(hosts_, offers);
    release();
    if (stays) serving_.fetch_add(1, std::memory_order_seq_cst);
    return !stays;
  }

  // Changes with each task that is shown, and orders nothing: a free agent polls it for a while before it ends.
  const plat::atomic<uint32_t>& shown() const noexcept { return shown_; }

  // For fork(): no other thread is in one of the functions above between the two. The child has no free agents and
  // no hosts.
  void hold() noexcept { lock_.acquire({.ns = 10'000}); }
  void release() noexcept { lock_.release(); }
  void forget() noexcept {
    hosts_.clear();
    serving_.store(0, std::memory_order_relaxed);
  }

 private:
  sync::Lock lock_;
  std::vector<Host*> hosts_;
  plat::atomic<int> serving_{0};
  plat::atomic<uint32_t> shown_{0};
};

}  // namespace vicino::task
