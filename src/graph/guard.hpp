// guard.hpp: holds one of this layer's locks, which are short and seldom contended.
//
// The locks lie in graphs, plans and sites, and a child of fork() may go on with any of these. So no thread holds one
// at a fork: each passes a gate that fork() closes. A thread holds one of them at a time, for it must not pass the gate
// twice. Cold is taken before, and never while one is held.
#pragma once

#include "sync/fork_gate.hpp"
#include "sync/lock.hpp"

namespace vicino::graph {

// fork() closes it when it has taken Cold.
inline constinit sync::ForkGate gate;

class Guard {
 public:
  explicit Guard(sync::Lock& lock) noexcept : lock_(lock) { take(); }
  ~Guard() { leave(); }
  Guard(const Guard&) = delete;

  // Gives the lock back while work() runs, which does not throw.
  template <class Work>
  auto without(Work work) {
    leave();
    auto result = work();
    take();
    return result;
  }

 private:
  void take() noexcept {
    gate.enter();
    lock_.acquire({.ns = 10'000});
  }
  void leave() noexcept {
    lock_.release();
    gate.leave();
  }

  sync::Lock& lock_;
};

}  // namespace vicino::graph
