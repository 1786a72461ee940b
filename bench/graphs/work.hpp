// work.hpp: what a runtime is asked for: to run a graph's tasks, or a loop over parts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "matrix.hpp"

namespace bench {

inline constexpr int kNoGraph = 6;  // an exit status

[[noreturn]] inline void end_without_graph(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(kNoGraph);
}

// first, first + kStep, ..., which are `count` tasks.
template <uint32_t kStep>
class TaskRange {
 public:
  TaskRange(uint32_t first, size_t count)
      : first_(first), end_(first + kStep * static_cast<uint32_t>(count)) {}

  struct Iterator {
    uint32_t task;
    uint32_t operator*() const { return task; }
    Iterator& operator++() { return task += kStep, *this; }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {first_}; }
  Iterator end() const { return {end_}; }

 private:
  uint32_t first_, end_;
};

// A function over some tasks, without the cost and the type of a std::function. It does not own the
// object that it calls: callee(tasks), where `tasks` is a std::span or a TaskRange.
class Body {
 public:
  template <class Callee>
  explicit Body(const Callee& callee)
      : call_([](const uint32_t* tasks, size_t count, const void* data) {
          (*static_cast<const Callee*>(data))(std::span(tasks, count));
        }),
        call_range_([](uint32_t first, size_t count, int step, const void* data) {
          const Callee& callee = *static_cast<const Callee*>(data);
          if (step > 0)
            callee(TaskRange<1>(first, count));
          else
            callee(TaskRange<UINT32_MAX>(first, count));
        }),
        data_(&callee) {}

  void operator()(const uint32_t* tasks, size_t count) const { call_(tasks, count, data_); }
  void range(uint32_t first, size_t count, int step) const {
    call_range_(first, count, step, data_);
  }

 private:
  void (*call_)(const uint32_t*, size_t, const void*);
  void (*call_range_)(uint32_t, size_t, int, const void*);
  const void* data_;
};

// The three operations have a graph each: what a runtime learns of one says nothing about another.
enum class Operation { kFactor, kForward, kBackward };

// How a runtime has divided a graph.
struct Division {
  size_t units = 0, edges = 0;  // what it manages, and the edges between these
  double coarsening_ns = 0;
};

// A back end is a class with
//   kName                       its name
//   kSearches                   whether it accepts the coarse string "automatic"
//   Backend(before, coarse)     before: for each task those before it. The process ends with a
//                               message if the coarse string is not accepted
//   run(operation, body)        calls body(tasks, count) for all tasks, each once, in an order that
//                               the graph allows; for kBackward all edges are the other way round
//   loop(count, each)           static; calls each(i) for all i in [0, count), in any order
//   division()
//   explanation()               what an automatic choice was; "" if there was none

}  // namespace bench
