// graph.hpp: a task graph is run by a team: the runners are the members of a region of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.hpp"
#include "graph/place.hpp"
#include "graph/plan.hpp"
#include "graph/task_graph.hpp"
#include "region/graph_call.hpp"

namespace vicino::tasking {
class Recording;
}

namespace vicino::region {

// Returns a value with which a body ended the run, else 0. Throws std::bad_alloc before anything
// has run. If memory lacks later, the program ends with a message.
int run(graph::Plan& plan, const GraphCall& call);
// As above, by a plan that is chosen if the graph is automatic. Without a body, it runs what was
// recorded.
int run(graph::TaskGraph& graph, GraphCall call);
// The same for bodies that are children of the present task: tasking::run_graph.
void run_in_place(graph::TaskGraph& graph, const void* code,
                  int (*body)(const uint32_t*, size_t, void*), void* data);

// Calls generate(data), which generates tasks, and records them. Returns when they have ended. The
// error says why they cannot be run again. Throws std::bad_alloc.
Result<std::unique_ptr<graph::TaskGraph>> record(void (*generate)(void* data), void* data);

// The graph of what was recorded; `code` identifies it in any process. The error says why it cannot
// be run again. Throws std::bad_alloc.
Result<std::unique_ptr<graph::TaskGraph>> graph_of(tasking::Recording& recording, const void* code);

// The machine's memory nodes, which are counted from 0 in the order of the kernel's numbers.
int memory_nodes();

// Gives every aggregate a node: place_by_fronts() on all nodes of the machine.
void place(graph::Plan& plan, bool strict);

// Asks writes(task, written) for each task of an aggregate with a node, and moves the pages that
// the tasks write. Returns an errno value; *pages gets the number of pages that belong to a node.
int move_data(const graph::Plan& plan,
              const std::function<void(uint32_t task, int node, graph::Written& written)>& writes,
              size_t* pages);

}  // namespace vicino::region
