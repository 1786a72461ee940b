// records.hpp: the graphs that one taskgraph construct of the program has recorded, one for each
// graph_id.
//
// Rule   The first execution with a graph_id leaves a graph behind, and executions that begin after
//        that run it. Several may record at a time; the graph of the first to end is kept. After a
//        reset no graph is kept that an execution from before the reset has recorded.
// Life   An execution that runs a graph shares it, so that a reset frees it when the last of them
//        has ended. What is left at the program's end stays: other threads may run it meanwhile.
// Not    waiting: a thread that comes while another one records executes the region, too, for the
//        recording may wait for that thread.
//
// Memory order: one lock for all constructs, which no thread holds at a fork() (guard.hpp). A thread
// that finds a graph under it sees the graph whole.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "graph/task_graph.hpp"

namespace vicino::graph {

// By any thread.
class Records {
 public:
  // An execution that has begun. It runs the graph, if there is one; else it executes the region,
  // and may record it.
  struct Begun {
    std::shared_ptr<TaskGraph> graph;
    bool may_record = false;
    uint64_t resets = 0;  // how many there were before this one
  };

  // Throws std::bad_alloc.
  Begun begin(uint64_t id, bool reset);
  // What an execution that may record has recorded.
  void keep(uint64_t id, const Begun& begun, std::shared_ptr<TaskGraph> graph) noexcept;
  // It cannot be recorded, and nobody need try again before the next reset. Returns whether this is
  // the construct's first refusal.
  bool refuse(uint64_t id, const Begun& begun) noexcept;

 private:
  struct Record {
    std::shared_ptr<TaskGraph> graph;
    bool is_refused = false;
    uint64_t resets = 0;
  };
  // Null if another execution or a reset has come first.
  Record* open(uint64_t id, const Begun& begun) noexcept;

  // By the lock of all constructs:
  std::unordered_map<uint64_t, Record> records_;
  bool has_refused_ = false;
};

}  // namespace vicino::graph
