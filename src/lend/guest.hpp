// guest.hpp: a thread of Vicino's as one that may run on a borrowed core.
//
// The thread that leads its team puts it there and takes it home, between regions, so that a sleeping
// thread is woken on the right core. A core's owner that returns takes it off at any time, by the number
// that it finds in the core's slot (Board::guest_on()), which is `rank << 32 | number`.
//
// A thread that has just begun goes to its rank's share by itself (topo/rank_share.hpp), perhaps after
// it was put on a core. So it looks here afterwards.
//
// Memory order: put() writes the slot's address and reads the thread's number; settle() writes the
// number and reads the address: all seq_cst, so one of them fills the slot in. `cpu_` is relaxed: the
// kernel orders the changes of a thread's mask, and settle() looks again after each change of its own.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include "plat/plat.hpp"

namespace vicino {
class CpuSet;
}

namespace vicino::lend {

class Guest {
 public:
  using Slot = plat::atomic<uint64_t>;
  static constexpr int kHome = -1;

  static constexpr uint64_t pack(int rank, pid_t thread) {
    return static_cast<uint64_t>(rank) << 32 | static_cast<uint32_t>(thread);
  }
  // The thread in a slot if this rank has put it there; 0: not known.
  static constexpr pid_t thread_in(uint64_t slot, int rank) {
    return static_cast<int>(slot >> 32) == rank ? static_cast<pid_t>(slot & UINT32_MAX) : 0;
  }

  // By the thread that has started this one.
  void set_thread(pthread_t thread) noexcept { thread_ = thread; }
  pthread_t thread() const noexcept { return thread_; }

  bool is_away() const noexcept { return cpu() != kHome; }

  // False if the kernel does not let the thread run there.
  bool put(int cpu, int rank, Slot& slot) noexcept;
  // To the core where it was put, from which the core's owner may have taken it.
  void go_back() noexcept;
  void take_home(const CpuSet& share) noexcept;
  // By the thread itself, when it has gone to its share.
  void settle() noexcept;
  // In a child of fork().
  void forget() noexcept { leave_slot(); }

 private:
  int cpu() const noexcept { return cpu_.load(std::memory_order_relaxed); }
  void leave_slot() noexcept {
    cpu_.store(kHome, std::memory_order_relaxed);
    slot_.store(nullptr);
  }
  bool run(const CpuSet& cpus) const noexcept;

  pthread_t thread_{};
  int rank_ = 0;  // this process's
  plat::atomic<int> cpu_{kHome};
  plat::atomic<pid_t> number_{0};  // the thread's; 0: it has not begun
  plat::atomic<Slot*> slot_{nullptr};
};

}  // namespace vicino::lend
