// graph.hpp: a task graph is run by a team: the runners are the members of a region of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/plan.hpp"

namespace vicino::region {

struct GraphCall {
  // Runs `count` tasks. If it returns a value other than 0, no aggregate is begun any more.
  int (*body)(const uint32_t* tasks, size_t count, void* data);
  void* data;
  int threads = 0;  // num_threads; 0: none
};

// Returns a value with which a body ended the run, else 0. Throws std::bad_alloc before anything has
// run, and not later.
int run(graph::Plan& plan, const GraphCall& call);

}  // namespace vicino::region
