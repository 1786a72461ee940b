// guard.hpp: holds one of this layer's locks, which are short and seldom contended.
#pragma once

#include "sync/lock.hpp"

namespace vicino::graph {

class Guard {
 public:
  static constexpr plat::Budget kPatience{.ns = 10'000};

  explicit Guard(sync::Lock& lock) noexcept : lock_(lock) { lock_.acquire(kPatience); }
  ~Guard() { lock_.release(); }
  Guard(const Guard&) = delete;

  // Gives the lock back while work() runs, which does not throw.
  template <class Work>
  auto without(Work work) {
    lock_.release();
    auto result = work();
    lock_.acquire(kPatience);
    return result;
  }

 private:
  sync::Lock& lock_;
};

}  // namespace vicino::graph
