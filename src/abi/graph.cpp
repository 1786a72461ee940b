// graph.cpp: the functions of vicino/graph.h.
#include "vicino/graph.h"

#include <errno.h>
#include <stdio.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "abi/api.hpp"
#include "graph/task_graph.hpp"
#include "region/graph.hpp"

using namespace vicino;
using graph::Graph;
using graph::Rows;
using graph::TaskGraph;

namespace {

struct Message {
  char* text;
  size_t size;

  vicino_graph* refuse(const std::string& why) const noexcept {
    if (size > 0) snprintf(text, size, "%s", why.c_str());
    return nullptr;
  }
};

TaskGraph& of(vicino_graph* graph) { return *reinterpret_cast<TaskGraph*>(graph); }
const TaskGraph& of(const vicino_graph* graph) {
  return *reinterpret_cast<const TaskGraph*>(graph);
}

vicino_graph* handle(std::unique_ptr<TaskGraph> graph) {
  return reinterpret_cast<vicino_graph*>(graph.release());
}

// No exception may reach a C program; the only possible one is lack of memory.
template <class Make>
vicino_graph* make(const Message& message, Make make_it) noexcept try {
  Result<std::unique_ptr<TaskGraph>> made = make_it();
  return made ? handle(*std::move(made)) : message.refuse(made.error());
} catch (const std::bad_alloc&) {
  if (message.size > 0) snprintf(message.text, message.size, "no memory for a graph");
  return nullptr;
}

// "" if the arrays are rows. What the rows hold is Graph::from()'s to check.
std::string wrong_rows(size_t tasks, const uint32_t* first, const uint32_t* before) {
  if (tasks >= graph::kMost)
    return "a graph of " + std::to_string(tasks) + " tasks; there may be " +
           std::to_string(graph::kMost - 1) + " at most";
  if (first == nullptr) return "no array says where the tasks' predecessors begin";
  if (first[0] != 0) return "first[0] is " + std::to_string(first[0]) + "; it must be 0";
  for (size_t i = 0; i < tasks; ++i)
    if (first[i] > first[i + 1])
      return "first[" + std::to_string(i) + "] is " + std::to_string(first[i]) + ", and first[" +
             std::to_string(i + 1) + "] is less: " + std::to_string(first[i + 1]);
  if (first[tasks] > 0 && before == nullptr) return "no array holds the tasks' predecessors";
  return {};
}

}  // namespace

VICINO_API vicino_graph* vicino_graph_new(size_t tasks, const uint32_t* first,
                                          const uint32_t* before, const float* cost, char* message,
                                          size_t size) {
  return make({message, size}, [&]() -> Result<std::unique_ptr<TaskGraph>> {
    if (std::string wrong = wrong_rows(tasks, first, before); !wrong.empty()) return Error{wrong};
    Rows rows({first, first + tasks + 1}, {before, before + first[tasks]});
    std::vector<float> costs;
    if (cost != nullptr) costs.assign(cost, cost + tasks);
    Result<Graph> built = Graph::from(std::move(rows), std::move(costs));
    if (!built) return Error{built.error()};
    return std::make_unique<TaskGraph>(*std::move(built));
  });
}

VICINO_API vicino_graph* vicino_graph_transpose(const vicino_graph* graph, char* message,
                                                size_t size) {
  return make({message, size},
              [&]() -> Result<std::unique_ptr<TaskGraph>> { return of(graph).turned(); });
}

VICINO_API vicino_graph* vicino_graph_coarsen(const vicino_graph* graph, const char* coarse_string,
                                              char* message, size_t size) {
  return make({message, size}, [&]() -> Result<std::unique_ptr<TaskGraph>> {
    return of(graph).coarsened(coarse_string != nullptr ? coarse_string : "");
  });
}

VICINO_API void vicino_graph_free(vicino_graph* graph) {
  if (graph != nullptr) delete &of(graph);
}

VICINO_API size_t vicino_graph_tasks(const vicino_graph* graph) { return of(graph).tasks().size(); }

VICINO_API size_t vicino_graph_edges(const vicino_graph* graph) {
  return of(graph).tasks().edges();
}

VICINO_API size_t vicino_graph_aggregates(const vicino_graph* graph) {
  return of(graph).plan().coarse().graph.size();
}

VICINO_API size_t vicino_graph_aggregate_edges(const vicino_graph* graph) {
  return of(graph).plan().coarse().graph.edges();
}

VICINO_API const uint32_t* vicino_graph_aggregate(const vicino_graph* graph, size_t aggregate,
                                                  size_t* count) {
  const bool exists = aggregate < vicino_graph_aggregates(graph);
  std::span<const uint32_t> tasks;
  if (exists) tasks = of(graph).plan().tasks_of(static_cast<uint32_t>(aggregate));
  if (count != nullptr) *count = tasks.size();
  return exists ? tasks.data() : nullptr;
}

VICINO_API int vicino_graph_run(vicino_graph* graph, vicino_graph_body* body, void* data,
                                const vicino_graph_options* options) try {
  const int threads = options != nullptr ? options->num_threads : 0;
  if (body == nullptr || threads < 0) return EINVAL;
  return region::run(of(graph).plan(), {body, data, threads});
} catch (const std::bad_alloc&) {
  return ENOMEM;
}
