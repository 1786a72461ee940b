// guest.hpp: a thread of Vicino's as one that may run on a borrowed core.
//
// Another thread puts it there and takes it away: the thread that leads the team before a region, so
// that a sleeping thread is woken on the right core; and the watcher (lending.hpp) at any time.
//
// A thread that has just begun goes to its rank's share by itself (topo/rank_share.hpp), perhaps after
// it was put on a core. So it looks here afterwards. Relaxed: the kernel orders the changes of a
// thread's mask, and a thread that has changed its mask after another one did sees what was written
// before that change; and settle() looks again after each change of its own.
#pragma once

#include <pthread.h>

#include "base/cpu_set.hpp"
#include "plat/plat.hpp"
#include "topo/process_mask.hpp"

namespace vicino::lend {

class Guest {
 public:
  static constexpr int kHome = -1;

  // By the thread that has started this one.
  void set_thread(pthread_t thread) noexcept { thread_ = thread; }

  bool is_away() const noexcept { return cpu_.load(std::memory_order_relaxed) != kHome; }
  int cpu() const noexcept { return cpu_.load(std::memory_order_relaxed); }

  // False if the kernel does not let the thread run there.
  bool put(int cpu) noexcept {
    const int was = cpu_.exchange(cpu, std::memory_order_relaxed);
    if (run(CpuSet::of(cpu))) return true;
    cpu_.store(was, std::memory_order_relaxed);
    return false;
  }
  void take_home(const CpuSet& share) noexcept {
    cpu_.store(kHome, std::memory_order_relaxed);
    run(share);
  }
  // In a child of fork().
  void forget() noexcept { cpu_.store(kHome, std::memory_order_relaxed); }
  // By the thread itself, when it has gone to its share.
  void settle() const noexcept {
    for (int last = kHome; cpu() != last;) {
      last = cpu();
      if (last != kHome) topo::run_on(0, CpuSet::of(last));
    }
  }

 private:
  bool run(const CpuSet& cpus) const noexcept {
    const std::vector<unsigned long> mask = cpus.to_kernel();
    return pthread_setaffinity_np(thread_, mask.size() * sizeof mask[0],
                                  reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
  }

  pthread_t thread_{};
  plat::atomic<int> cpu_{kHome};
};

}  // namespace vicino::lend
