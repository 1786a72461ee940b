// run.hpp: a graph is run by several runners, each a thread of a team.
//
// Why    An aggregate may be as short as 50 ns. So a runner keeps the first aggregate that it
//        releases, and puts only further ones where others find them; it counts what it has done by
//        itself and tells the others when it runs dry.
// Rule   A container per memory node. It consists of its runners' deques, of which each has one end
//        for its owner and one for thieves, and of an inbox for what runners of other nodes
//        release. An aggregate with a node goes to the container of that node; in a graph in which
//        some have a node, the others go to the nodes in turn; where none has one, they stay with
//        the runner that released them. A strict aggregate is run by runners of its node alone. A
//        flexible one is also run by others, when they have found nothing in their own container
//        for some looks (AggregateNodes::looks_before_far): of the nearest nodes first.
// Cost   an edge: a fetch-and-subtract, or nothing if it is the only one that leads to its
//        aggregate. An aggregate: a push and a pop of a deque, or nothing if its runner keeps it.
//        No memory is taken while the graph runs, but when a deque grows.
// Source Nas (papers/taggre-nas, section VI), whose container is one structure that allows several
//        operations at a time, and leaves open which.
//
// Invariants
//  R1 `missing` of an aggregate is the number of edges to it from aggregates that have not ended in
//     this run. The runner that makes it 0 makes it `all` again, for the next run, before the
//     aggregate can run; no edge counts it down after that.
//  R2 an aggregate that is ready and has not begun is in one deque or inbox, or kept by one runner.
//  R3 `left_` is the number of aggregates that have not ended, plus the `done` of all runners. A
//     runner that runs dry takes its `done` off it, and so the last one makes it 0.
//  R4 a node in `AggregateNodes` has a runner: the caller has replaced nodes without runners.
// A run ends: while aggregates are left, one of them is ready or running (Graph::I2). If it is
// ready, some runner that may run it finds it before it sleeps, or is woken for it (A1 of
// task/sleep.hpp).
//
// Memory order
//  C1 the fetch-and-subtracts of one `missing` are acquire-releases: the runner that makes it 0
//     sees what all aggregates before this one wrote. With a single edge its runner goes on itself,
//     or publishes the aggregate by a deque's push (D1, D2 of task/deque.hpp) or an inbox (N1).
//  C2 `missing` becomes `all` by a relaxed store: R1, and the push or the inbox publish it, as they
//     publish what the aggregate's predecessors wrote.
//  C3 `left_` and `over_` are relaxed: they only say that a runner may end. What the aggregates
//     wrote is published to the caller by the region's join (F2 of region/fork.cpp).
//  C4 `stopped_` is relaxed: a runner that sees it late runs one aggregate more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "graph/graph.hpp"
#include "graph/inbox.hpp"
#include "plat/plat.hpp"
#include "sync/barrier.hpp"
#include "sync/event_count.hpp"
#include "sync/patience.hpp"
#include "task/deque.hpp"
#include "task/sleep.hpp"

namespace vicino::graph {

// The runners of one run, and where they are. Nodes are counted from 0 among those that have
// runners.
struct RunnerNodes {
  std::vector<int> node_of;  // of each runner; empty: there is one node
  std::vector<int> first;    // the first runner of each node

  int nodes() const noexcept { return node_of.empty() ? 1 : static_cast<int>(first.size()); }
  int node(int runner) const noexcept {
    return node_of.empty() ? 0 : node_of[static_cast<size_t>(runner)];
  }
};

// Where aggregates are to run.
struct AggregateNodes {
  static constexpr int16_t kNone = -1;
  std::vector<int16_t> node;  // of each aggregate, counted as in RunnerNodes; empty: none has one
  std::vector<bool> strict;   // empty: none is
  // How often a runner looks in vain before it takes a flexible aggregate of another node. A look
  // of a runner that polls takes about a microsecond.
  uint64_t looks_before_far = 16;
};

class Run {
 public:
  // The graph outlives the run.
  explicit Run(const Graph& graph);
  Run(const Run&) = delete;

  // For one thread, before the runners begin. `nodes` stays as it is until they have ended.
  void begin(int runners, const RunnerNodes& runner_nodes, const AggregateNodes& nodes);
  // For one thread, after the runners have ended.
  void end() noexcept;

  // No aggregate is begun any more. By any thread, while runners run.
  void stop() noexcept {
    stopped_.store(true, std::memory_order_relaxed);  // C4
    over_.advance(number_);
  }

  // By a runner, before it works: the aggregates that wait for none are divided into `shares`, and
  // it begins with one of these. Every share is put by some runner.
  void put_roots(int number, int share, int shares);

  // One runner: ends when all aggregates have ended, or after stop(). body(aggregate) runs one.
  // search(ask) calls ask(other runner) for all others, nearest first, until one is true.
  template <class Body, class Search>
  void work(int me, sync::Waiting waiting, Body body, Search search);

  // For task/sleep.hpp.
  int size = 0;
  task::Sleepers sleepers;
  task::Sleeper& sleeper(int i) noexcept { return runner(i).sleeper; }

 private:
  // What counts down to an aggregate's beginning.
  struct Count {
    plat::atomic<uint32_t> missing;
    uint32_t all;
  };
  using Deque = task::Deque<Count>;

  struct alignas(kLinePair) Runner {
    explicit Runner(uint64_t first_ring) : open(first_ring), strict(first_ring) {}

    Deque open;    // for every runner
    Deque strict;  // for those of its node
    task::Sleeper sleeper;
    int node = 0;
    int turn = 0;       // of the nodes, for an aggregate without one
    uint64_t dry = 0;   // looks in vain since it found an aggregate
    int glance = 0;     // the runner that it looks at next while it waits
    uint32_t done = 0;  // R3
  };
  struct Container {
    Inbox open, strict;
  };

  Runner& runner(int i) noexcept { return *runners_[static_cast<size_t>(i)]; }
  uint32_t number_of(const Count& count) const noexcept {
    return static_cast<uint32_t>(&count - counts_.get());
  }
  bool is_over() const noexcept { return over_.peek() == number_; }                      // C3
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }  // C4

  // An aggregate has ended: those that are ready now are put where they belong. Returns one that
  // the runner keeps, or null.
  Count* release(int number, const Count& ended);
  bool may_keep(const Runner& me, uint32_t aggregate) const noexcept;
  void put(int number, uint32_t aggregate);
  void put_in_deque(int number, uint32_t aggregate, bool strict);

  template <class Search>
  Count* find(int number, Search& search);
  Count* take_own(Runner& me) noexcept;
  // Puts what is in the inbox of the runner's node into its deques, and takes one of it.
  Count* empty_inbox(int number, int node);
  // Takes a flexible one from the inbox of another node.
  Count* take_from_inbox(int node) noexcept;
  Count* steal(int number, int victim);
  static Count* steal_from(Deque& deque) noexcept;
  // Whether the runner may take aggregates of the victim's container by now.
  bool reaches(const Runner& me, const Runner& victim) const noexcept {
    return nodes_ == nullptr || victim.node == me.node || me.dry >= nodes_->looks_before_far;
  }
  // Whether the runner would probably find an aggregate with this victim; with any that it reaches,
  // or will reach; with the next victim in turn.
  bool offers(const Runner& me, const Runner& victim) const noexcept;
  bool offers_any(int number, bool will_reach) const noexcept;
  bool offers_next(int number) noexcept;
  // False if the run is over.
  bool wait_for_work(int number, sync::Waiting waiting);
  bool poll(int number, sync::Waiting waiting, plat::Budget& budget);
  void tell_done(Runner& me) noexcept;
  void put_back() noexcept;

  const Graph& graph_;
  std::unique_ptr<Count[]> counts_;
  std::unique_ptr<Inbox::Below[]> below_;  // if there are several nodes
  std::vector<uint32_t> roots_;
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<std::unique_ptr<Container>> containers_;  // if there are several nodes
  const RunnerNodes* runner_nodes_ = nullptr;
  const AggregateNodes* nodes_ = nullptr;  // null: the aggregates' nodes do not matter
  uint64_t number_ = 0;                    // of the run
  alignas(kLinePair) plat::atomic<uint32_t> left_{0};
  sync::EventCount over_;  // the number of the last run that is over
  plat::atomic<bool> stopped_{false};
};

template <class Body, class Search>
void Run::work(int number, sync::Waiting waiting, Body body, Search search) {
  Runner& me = runner(number);
  do {
    while (const Count* count = find(number, search))
      for (; count != nullptr; count = release(number, *count)) {
        if (is_stopped()) return;
        body(number_of(*count));
        ++me.done;
      }
  } while (wait_for_work(number, waiting));
}

template <class Search>
Run::Count* Run::find(int number, Search& search) {
  Runner& me = runner(number);
  Count* found = take_own(me);
  if (found == nullptr && nodes_ != nullptr) found = empty_inbox(number, me.node);
  if (found == nullptr)
    search([&](int victim) {
      return reaches(me, runner(victim)) && (found = steal(number, victim)) != nullptr;
    });
  me.dry = found != nullptr ? 0 : me.dry + 1;
  return found;
}

}  // namespace vicino::graph
