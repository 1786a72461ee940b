// order.hpp: the order that depend clauses give to the children of one task, kept as a graph.
//
// Why    depend.hpp keeps nothing of tasks that are done; a graph that is run again needs all edges.
// Rule   As there, an address sees phases: a writer is one, and so are all the readers between two
//        writers, or all tasks of an inoutset. A task that joins a phase waits for the phase before
//        it. Tasks of a mutexinoutset are ordered as they were generated, which is stricter: then
//        they cannot run at the same time. A task that names omp_all_memory comes after all before
//        it and before all after it, those without dependences, too.
// Cost   a look-up for each dependence; an edge for each pair of tasks of neighbouring phases.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "task/depend.hpp"

namespace vicino::task {

// Tasks are numbered in the order of their generation. A wait may be a task, too, one without work.
// More than 2^32 - 2 tasks or edges throw std::length_error.
class Order {
 public:
  // Returns the new task's number.
  uint32_t add(std::span<const Dependence> dependences);
  // Later tasks come after all earlier ones.
  void wait();
  // Later tasks come after those that a task with these dependences would come after.
  void wait_for(std::span<const Dependence> dependences);
  // Later tasks come after the newest task.
  void wait_for_newest() noexcept { floor_ = tasks() - 1; }

  uint32_t tasks() const noexcept { return static_cast<uint32_t>(first_.size() - 1); }
  // The predecessors of task i are before()[first()[i]] to before()[first()[i + 1] - 1]; ascending.
  std::span<const uint32_t> first() const noexcept { return first_; }
  std::span<const uint32_t> before() const noexcept { return before_; }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Phase {
    Access access = Access::kNone;
    std::vector<uint32_t> tasks;
  };
  struct Phases {
    Phase now, before;
  };

  // The dependences of one task with each address once.
  static std::vector<Dependence> merged(std::span<const Dependence> dependences);
  void enter(const Dependence& dependence, uint32_t task, std::vector<uint32_t>& predecessors);
  void look(const Dependence& dependence, std::vector<uint32_t>& predecessors) const;
  uint32_t append(std::vector<uint32_t> predecessors);
  // A task that comes after all earlier ones, and before all later ones.
  void separate();

  std::unordered_map<const void*, Phases> addresses_;
  std::vector<uint32_t> first_{0}, before_;
  std::vector<bool> has_successor_;
  uint32_t floor_ = kNone;  // later tasks come after this one
  uint32_t separated_ = 0;  // tasks before this one have successors
};

}  // namespace vicino::task
