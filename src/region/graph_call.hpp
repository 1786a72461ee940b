// graph_call.hpp: what is to be done with each task of a task graph.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vicino::region {

struct GraphCall {
  // Runs `count` tasks. If it returns a value other than 0, no aggregate is begun any more.
  int (*body)(const uint32_t* tasks, size_t count, void* data) = nullptr;
  void* data = nullptr;  // of recorded tasks: their captures
  int threads = 0;  // num_threads; 0: none
  // The bodies are children of the present task: the present team runs them, and where one thread
  // is best, the present one.
  bool in_place = false;
  const void* code = nullptr;  // what identifies the body, if that is not what identifies the tasks
  // The same for first, first + step, ..., where tasks follow each other. Null: there are only
  // lists.
  int (*range)(uint32_t first, size_t count, int step, void* data) = nullptr;
};

}  // namespace vicino::region
