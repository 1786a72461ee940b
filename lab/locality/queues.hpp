// queues.hpp: waiting at memory controllers and at the links between packages, as fluid (rule R8).
//
// CPUs run one after another inside a round of the lockstep, so the order of requests inside a
// round means nothing. What a round asks of a controller is poured in as a whole when the round
// ends, the round's length flows out, and what is left is the wait of everyone in the next round.
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

  // One line through a controller, or over the link between two packages; the cycles to wait for
  // it.
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
