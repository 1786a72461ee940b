// by_hand.hpp: regions of a fixed number of threads, without OpenMP.
//
// Why    How much of a runtime's time is the kernel's? Threads that all take part in a region and share
//        CPUs have to be switched, and this has nothing but the switches: one counter that opens a
//        region, one that the threads count down at its end.
// How    A thread that waits yields its CPU over and over, or sleeps on a futex at once.
// Not    a way to wait: where CPUs are idle, neither is.
#pragma once
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace bench {

class ByHand {
 public:
  // `part(i)` is thread i's part of each region.
  ByHand(int threads, bool yields, std::function<void(int)> part)
      : yields_(yields), part_(std::move(part)) {
    for (int i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
  }
  ~ByHand() {
    over_ = true;
    change(opened_, opened_ + 1);
    for (std::thread& other : others_) other.join();
  }
  ByHand(const ByHand&) = delete;

  void region() {
    left_ = static_cast<uint32_t>(others_.size());
    change(opened_, opened_ + 1);
    part_(0);
    for (uint32_t left; (left = left_) != 0;) wait(left_, left);
  }

 private:
  using Word = std::atomic<uint32_t>;  // sequentially consistent: this is not about fences

  void serve(int i) {
    for (uint32_t seen = 0;;) {
      while (opened_ == seen) wait(opened_, seen);
      ++seen;
      if (over_) return;
      part_(i);
      if (--left_ == 0) wake(left_);
    }
  }

  void change(Word& word, uint32_t value) {
    word = value;
    wake(word);
  }
  void wait(Word& word, uint32_t seen) {
    if (yields_)
      sched_yield();
    else
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
  }
  void wake(Word& word) {
    if (!yields_) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  const bool yields_;
  const std::function<void(int)> part_;
  alignas(128) Word opened_{0};
  alignas(128) Word left_{0};
  std::atomic<bool> over_{false};
  std::vector<std::thread> others_;
};

}  // namespace bench
