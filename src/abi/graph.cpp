// graph.cpp: the functions of vicino/graph.h.
#include "vicino/graph.h"

#include <errno.h>
#include <stdio.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "base/kept_errno.hpp"
#include "config/settings.hpp"
#include "graph/passes.hpp"
#include "graph/place.hpp"
#include "graph/task_graph.hpp"
#include "region/graph.hpp"

using namespace vicino;
using abi::answer;
using graph::Graph;
using graph::Placement;
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

VICINO_API vicino_graph* vicino_graph_record(void (*generate)(void* data), void* data,
                                             char* message, size_t size) {
  return make({message, size}, [&]() -> Result<std::unique_ptr<TaskGraph>> {
    if (generate == nullptr) return Error{"no function generates the tasks to record"};
    return region::record(generate, data);
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
    const std::string& set = config::settings().coarsen;  // VICINO_COARSEN
    if (set == graph::kNoPass) return of(graph).coarsened("");
    if (!set.empty()) return of(graph).coarsened(set);
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
                                const vicino_graph_options* options) {
  VICINO_WATCHED();
  const int threads = options != nullptr ? options->num_threads : 0;
  if ((body == nullptr && of(graph).bodies() == nullptr) || threads < 0) return EINVAL;
  return answer([&] { return region::run(of(graph), {body, data, threads}); });
}

VICINO_API int vicino_graph_run_ranges(vicino_graph* graph, vicino_graph_range_body* range,
                                       vicino_graph_body* body, void* data,
                                       const vicino_graph_options* options) {
  VICINO_WATCHED();
  const int threads = options != nullptr ? options->num_threads : 0;
  if (range == nullptr || threads < 0) return EINVAL;
  return answer([&] {
    return region::run(of(graph), {.body = body, .data = data, .threads = threads, .range = range});
  });
}

VICINO_API int vicino_graph_place(vicino_graph* graph, int strict) {
  return answer([&] {
    if (of(graph).is_automatic()) return EINVAL;
    region::place(of(graph).plan(), strict != 0);
    return 0;
  });
}

VICINO_API int vicino_graph_set_node(vicino_graph* graph, size_t aggregate, int node, int strict) {
  return answer([&] {
    const size_t aggregates = vicino_graph_aggregates(graph);
    const bool exists = node >= Placement::kNone && node < region::memory_nodes();
    if (of(graph).is_automatic() || aggregate >= aggregates || !exists) return EINVAL;
    Placement& placement = of(graph).plan().placement();
    placement.strict.resize(aggregates);
    placement.node.resize(aggregates, Placement::kNone);
    placement.node[aggregate] = node;
    placement.strict[aggregate] = node != Placement::kNone && strict != 0;
    return 0;
  });
}

VICINO_API int vicino_graph_node(const vicino_graph* graph, size_t aggregate) {
  const Placement& placement = of(graph).plan().placement();
  return aggregate < placement.node.size() ? placement.node[aggregate] : Placement::kNone;
}

struct vicino_graph_list {
  graph::Written& written;
  int node;
  bool& lacks_memory;
};

VICINO_API void vicino_graph_written(vicino_graph_list* list, const void* start, size_t bytes) {
  try {
    list->written.add(start, bytes, list->node);
  } catch (const std::bad_alloc&) {  // the caller may be C
    list->lacks_memory = true;
  }
}

VICINO_API int vicino_graph_move_data(const vicino_graph* graph, vicino_graph_writes* writes,
                                      void* data, size_t* pages) {
  return answer([&] {
    if (writes == nullptr) return EINVAL;
    size_t ignored;
    bool lacks_memory = false;
    const int error = region::move_data(
        of(graph).plan(),
        [&](uint32_t task, int node, graph::Written& written) {
          vicino_graph_list list{written, node, lacks_memory};
          writes(task, &list, data);
        },
        pages != nullptr ? pages : &ignored);
    return lacks_memory ? ENOMEM : error;
  });
}

VICINO_API size_t vicino_graph_explain(const vicino_graph* graph, char* message, size_t size) {
  try {
    const std::string text = of(graph).explain();
    if (size > 0) snprintf(message, size, "%s", text.c_str());
    return text.size();
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

VICINO_API int vicino_graph_save(const vicino_graph* graph, const char* path, char* message,
                                 size_t size) {
  const KeptErrno kept;
  return answer([&] {
    if (path == nullptr) {
      Message{message, size}.refuse("no file is named");
      return EINVAL;
    }
    const Error error = of(graph).save(path);
    if (error.text.empty()) return 0;
    Message{message, size}.refuse(error.text);
    return EIO;
  });
}

VICINO_API vicino_graph* vicino_graph_load(const char* path, char* message, size_t size) {
  const KeptErrno kept;
  return make({message, size}, [&]() -> Result<std::unique_ptr<TaskGraph>> {
    if (path == nullptr) return Error{"no file is named"};
    return TaskGraph::load(path, region::memory_nodes());
  });
}
