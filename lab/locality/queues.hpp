// queues.hpp: waiting at memory controllers and at links between packages, as fluid (R8 of
// memory.hpp).
//
// CPUs run one after another inside a round of the lockstep, so the order of requests inside a
// round means nothing. When the round ends, all its requests flow into a queue together, and as
// many cycles flow out as the round was long. The rest is the wait of every request in the next
// round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vicino::lab {

class Queue {
 public:
  std::uint64_t wait() const { return backlog_; }
  void ask(std::uint64_t cycles) { asked_ += cycles; }
  void drain(std::uint64_t cycles) {
    const std::uint64_t level = backlog_ + asked_;
    backlog_ = level > cycles ? level - cycles : 0;
    asked_ = 0;
  }

 private:
  std::uint64_t backlog_ = 0;
  std::uint64_t asked_ = 0;
};

// One queue per node's controller and one per pair of packages.
class Queues {
 public:
  Queues(int nodes, int packages, std::uint64_t cost_mc, std::uint64_t cost_link)
      : packages_(packages),
        cost_mc_(cost_mc),
        cost_link_(cost_link),
        controllers_(nodes),
        links_(packages * packages) {}

  // Takes one line through a controller, or over the link between two packages. Returns the cycles
  // that the line waits.
  std::uint64_t controller(int node) { return pass(controllers_[node], cost_mc_); }
  std::uint64_t link(int a, int b) { return a == b ? 0 : pass(link_between(a, b), cost_link_); }

  void drain(std::uint64_t cycles) {
    for (Queue& queue : controllers_) queue.drain(cycles);
    for (Queue& queue : links_) queue.drain(cycles);
  }

 private:
  static std::uint64_t pass(Queue& queue, std::uint64_t cost) {
    queue.ask(cost);
    return queue.wait();
  }
  Queue& link_between(int a, int b) { return links_[std::min(a, b) * packages_ + std::max(a, b)]; }

  int packages_;
  std::uint64_t cost_mc_;
  std::uint64_t cost_link_;
  std::vector<Queue> controllers_;
  std::vector<Queue> links_;
};

}  // namespace vicino::lab
