// producer.hpp: one thread generates all tasks, each of the same length; the others only run them.
#pragma once
#include <memory>

#include "work.hpp"

namespace bench {

// kSteps: of work(), in each task.
template <long kSteps>
struct Producer {
  explicit Producer(long size) : tasks_(size), done(new char[static_cast<size_t>(size)]) {}
  void prepare() {
    for (long i = 0; i < tasks_; ++i) done[i] = 0;
  }
  void run() {
    char* const places = done.get();
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks_; ++i) {
#pragma omp task
      places[i] += static_cast<char>(work(kSteps));
    }
  }
  bool right() const {
    for (long i = 0; i < tasks_; ++i)
      if (done[i] != 1) return false;
    return true;
  }
  long tasks() const { return tasks_; }

  long tasks_;
  std::unique_ptr<char[]> done;
};

}  // namespace bench
