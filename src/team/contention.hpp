// contention.hpp: how many threads descend from one thread of the program: those in teams, and free
// agents.
//
// Threads in teams are counted only if there is a thread limit. Relaxed: the numbers order nothing;
// each change is one RMW of both, so the limits hold at each moment.
#pragma once

#include <algorithm>
#include <cstdint>

#include "config/initial.hpp"
#include "config/threads_reserve.hpp"
#include "plat/plat.hpp"

namespace vicino::team {

class Contention {
 public:
  // Takes room for `wanted` more threads in teams, or for as many as there is; returns that number.
  int take_threads(config::ThreadLimits limits, int thread_limit, int wanted) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    int room;
    do {
      const int left = thread_limit - threads(word) - agents(word);
      room = std::clamp(std::min(left, limits.structured - threads(word)), 0, wanted);
    } while (!word_.compare_exchange_weak(word, word + static_cast<uint64_t>(room),
                                          std::memory_order_relaxed));
    return room;
  }
  void give_threads(int count) noexcept {
    word_.fetch_sub(static_cast<uint64_t>(count), std::memory_order_relaxed);
  }

  // A thread of no team begins to run a task of this group as a free agent, if it may.
  bool take_agent(config::ThreadLimits limits, int thread_limit) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    do
      if (!has_room(word, limits, thread_limit)) return false;
    while (!word_.compare_exchange_weak(word, word + kAgent, std::memory_order_relaxed));
    return true;
  }
  bool has_room_for_agent(config::ThreadLimits limits, int thread_limit) const noexcept {
    return has_room(word_.load(std::memory_order_relaxed), limits, thread_limit);
  }
  void give_agent() noexcept { word_.fetch_sub(kAgent, std::memory_order_relaxed); }

  // In a child of fork(), whose only thread this is.
  void forget() noexcept { word_.store(1, std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kAgent = uint64_t{1} << 32;
  static bool has_room(uint64_t word, config::ThreadLimits limits, int thread_limit) noexcept {
    return threads(word) + agents(word) < thread_limit && agents(word) < limits.free_agents;
  }
  static int threads(uint64_t word) noexcept { return static_cast<int>(word % kAgent); }
  static int agents(uint64_t word) noexcept { return static_cast<int>(word / kAgent); }

  plat::atomic<uint64_t> word_{1};
};

}  // namespace vicino::team
