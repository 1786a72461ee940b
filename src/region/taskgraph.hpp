// taskgraph.hpp: the taskgraph construct of OpenMP 6.0: what its first execution generates is
// recorded, and later ones run the graph.
//
// Rule   One graph for each graph_id, as graph/records.hpp says. The recorded tasks are those that
//        the compiled code calls replayable. An execution in a final or untied task, or in a region
//        that can be cancelled or that a tool watches, neither records nor runs a graph: it
//        executes the region. So do all executions of what cannot be recorded; why is said once.
//        Where the if clause is false, the compiled code executes the region by itself.
// Nested A construct in another one's region is recorded, and the outer one is not, because what
//        the inner tasks share is found by captures of their own. In a task of the outer one it is
//        like any other.
// Not    asynchronous: also with nogroup, an execution that runs a graph returns when the tasks
//        have ended. One that records them then waits for none.
#pragma once

#include <cstdint>

#include "graph/records.hpp"

namespace vicino::region {

struct TaskgraphCall {
  uint64_t id = 0;       // graph_id
  bool reset = false;    // graph_reset
  bool in_group = true;  // without nogroup
  // Executes the region, which generates tasks.
  void (*region)(void* captures) = nullptr;
  // Where the variables are that the region and its tasks share in this execution.
  void* captures = nullptr;
};

// By several threads at a time.
void taskgraph(graph::Records& records, const TaskgraphCall& call);

// The records of a construct, of which the compiled code keeps the address; null at first.
graph::Records& records_at(void*& address);

}  // namespace vicino::region
