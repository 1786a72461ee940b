// occupants.hpp: on which CPUs Vicino's threads are, and where other threads take turns with one of them.
//
// Why    A thread that offers its CPU and loses it for a moment cannot tell who took it. Another member of its team should be
//        elsewhere: the thread sleeps, or moves (shared_core.cpp). A thread that Vicino does not know, and that polls and
//        offers the CPU as well, is served there: OpenBLAS's do so for 30 ms after a product, and where members slept
//        beside them the next regions took 1.5 to 2 times as long.
// How    Each CPU has an occupant: the thread that entered it last. A thread enters its CPU when it looks at the clock in a
//        wait, and when it wakes; it leaves it when it goes to sleep and when it ends. Two threads on one CPU replace each
//        other.
// Not    exact. A thread that is moved while it works is taken to be where it last polled. So what follows from an occupant may be of no use, but is never wrong.
//
// Memory order: all relaxed. Any answer is correct.
#pragma once

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace vicino::plat {

// Of one thread.
struct Occupancy {
  uint32_t thread = 0;  // 0: it has polled nowhere yet
  int cpu = -1;
  uint32_t beside = 0;  // the last one that it replaced
};

class Occupants {
 public:
  static constexpr int kCpus = CPU_SETSIZE;

  void enter(Occupancy& own, int cpu) noexcept {
    if (cpu < 0 || cpu >= kCpus) return;
    if (own.thread == 0) own.thread = threads_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (cpu != own.cpu) {
      own.cpu = cpu;
      cpu_of(own.thread).store(static_cast<int16_t>(cpu), std::memory_order_relaxed);
    }
    std::atomic<uint32_t>& holder = holders_[static_cast<size_t>(cpu)];
    const uint32_t before = holder.load(std::memory_order_relaxed);
    if (before == own.thread) return;
    own.beside = before;
    holder.store(own.thread, std::memory_order_relaxed);
  }
  void leave(Occupancy& own) noexcept {
    if (own.cpu < 0) return;
    own.cpu = -1;
    own.beside = 0;
    cpu_of(own.thread).store(-1, std::memory_order_relaxed);
  }
  // In a child of fork(): the threads are gone.
  void forget() noexcept {
    for (auto& holder : holders_) holder.store(0, std::memory_order_relaxed);
    for (auto& until : turns_until_) until.store(0, std::memory_order_relaxed);
    for (auto& cpu : cpus_) cpu.store(-1, std::memory_order_relaxed);
  }
  // Whether another thread is on the same CPU.
  bool is_shared(const Occupancy& own) const noexcept {
    return own.beside != 0 && cpu_of(own.beside).load(std::memory_order_relaxed) == own.cpu;
  }
  bool is_free(int cpu) const noexcept {
    const uint32_t holder = holders_[static_cast<size_t>(cpu)].load(std::memory_order_relaxed);
    return holder == 0 || cpu_of(holder).load(std::memory_order_relaxed) != cpu;
  }

  // A thread that is not Vicino's takes what this one offers, and gives it back.
  void take_turns(const Occupancy& own, uint64_t now) noexcept {
    if (own.cpu >= 0)
      turns_until_[static_cast<size_t>(own.cpu)].store(now + kTurnsNs, std::memory_order_relaxed);
  }
  // On how many of the first `cpus` CPUs one does.
  int turns(int cpus, uint64_t now) const noexcept {
    int count = 0;
    for (int cpu = 0; cpu < std::min(cpus, kCpus); ++cpu)
      count += now < turns_until_[static_cast<size_t>(cpu)].load(std::memory_order_relaxed);
    return count;
  }

 private:
  // Some regions with their waits: while a thread works, it does not see who takes turns with it.
  static constexpr uint64_t kTurnsNs = 1'000'000;
  // Of more threads, some are taken for each other.
  static constexpr uint32_t kThreads = 4096;

  std::atomic<int16_t>& cpu_of(uint32_t thread) noexcept { return cpus_[thread % kThreads]; }
  const std::atomic<int16_t>& cpu_of(uint32_t thread) const noexcept {
    return cpus_[thread % kThreads];
  }

  std::atomic<uint32_t> threads_{0};
  std::array<std::atomic<uint32_t>, kCpus> holders_{};  // thread; 0: nobody
  std::array<std::atomic<uint64_t>, kCpus> turns_until_{};
  std::array<std::atomic<int16_t>, kThreads> cpus_{};
};

// The process's, and the calling thread's.
extern constinit Occupants occupants;
extern thread_local constinit Occupancy own_occupancy;

}  // namespace vicino::plat
