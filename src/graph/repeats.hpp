// repeats.hpp: sequences of tasks that a program generates again and again, recognised while it
// generates them.
//
// Why    A program that repeats its tasks pays for their order each time: a look-up for each
//        dependence, and a wake-up for each task. A sequence that is known has a graph, which can be
//        coarsened, and costs a comparison for each task.
// Rule   A sequence is what one thread generates between two waits: the code of each task and its
//        dependences, in order. It is kept when it has been seen once, and from then on its tasks
//        are held back for as long as they are the same as those kept. If all of them come, the
//        graph runs them; else they are let go one by one, in the order that they were generated.
// Site   The code of the first task names the site. A site keeps kMostShapes sequences, for programs
//        that take turns between several, and is given up after kMostFailures in a row that were
//        not known.
// Exact  Dependences are compared as they are, addresses included: nothing rests on a hash.
// Not    for tasks that wait for each other by other means than their dependences: a task that is
//        held back has not begun while the thread that generates it goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/task_graph.hpp"
#include "task/depend.hpp"

namespace vicino::graph {

class Sequence {
 public:
  void add(const void* code, std::span<const task::Dependence> dependences);
  size_t size() const noexcept { return code_.size(); }
  const void* code(size_t task) const noexcept { return code_[task]; }
  std::span<const task::Dependence> dependences(size_t task) const noexcept {
    return {dependences_.data() + first_[task], dependences_.data() + first_[task + 1]};
  }
  // Whether there is a task with this number, with this code and these dependences.
  bool has(size_t task, const void* code,
           std::span<const task::Dependence> dependences) const noexcept;
  bool begins_with(const Sequence& other) const noexcept;
  Sequence first(size_t tasks) const;

 private:
  std::vector<const void*> code_;
  std::vector<uint32_t> first_{0};
  std::vector<task::Dependence> dependences_;
};

// A sequence that was seen. Its graph is made when it is seen for the second time.
class Repeat {
 public:
  explicit Repeat(Sequence sequence) : sequence_(std::move(sequence)) {}

  const Sequence& sequence() const noexcept { return sequence_; }
  // Automatic. Throws std::bad_alloc, and std::length_error if it has too many edges.
  TaskGraph& graph();

 private:
  const Sequence sequence_;
  std::unique_ptr<TaskGraph> graph_;  // by the lock of all sites; it stays once it is made
};

// What is known of one site. By any thread.
class RepeatSite {
 public:
  static constexpr size_t kMostShapes = 8;
  static constexpr int kMostFailures = 16;

  // Null if it has been given up.
  static RepeatSite* at(const void* code);

  bool is_given_up() noexcept;
  void give_up() noexcept;
  // Of the sequences that begin like this, the one that was seen last; null if there is none.
  std::shared_ptr<Repeat> like(const Sequence& begin);
  // The sequence that is this one; null if it is not known.
  std::shared_ptr<Repeat> same(const Sequence& all);
  void was_repeated(const std::shared_ptr<Repeat>& repeat) noexcept;
  void keep(Sequence sequence);

 private:
  // By the lock of all sites.
  std::vector<std::shared_ptr<Repeat>> shapes_;  // the one that was seen last comes first
  int failures_ = 0;
};

// One thread's way through a sequence. Used by that thread alone.
class Follower {
 public:
  static constexpr size_t kMostTasks = size_t{1} << 20;

  bool is_under_way() const noexcept { return state_ != State::kIdle; }
  // The thread generates a task. True: all tasks of the sequence so far are to be held back.
  bool add(const void* code, std::span<const task::Dependence> dependences);
  // The sequence has something that cannot be repeated. No task is held back.
  void refuse() noexcept;
  // The thread waits. The sequence that is known, if all of its tasks have come, and nothing else;
  // else null.
  std::shared_ptr<Repeat> complete();
  // After complete(): the next task begins a new sequence.
  void end();

  // Of the tasks since the sequence began, as far as they were held back; also right after the
  // add() that ends this.
  std::span<const task::Dependence> dependences(size_t task) const noexcept {
    return state_ == State::kFollowing ? repeat_->sequence().dependences(task)
                                       : seen_.dependences(task);
  }

 private:
  enum class State : uint8_t { kIdle, kFollowing, kSeeing, kIgnoring };

  bool is_whole() const noexcept;
  void begin(const void* code);
  bool follow(const void* code, std::span<const task::Dependence> dependences);
  void see(const void* code, std::span<const task::Dependence> dependences);

  State state_ = State::kIdle;
  RepeatSite* site_ = nullptr;
  std::shared_ptr<Repeat> repeat_;  // kFollowing
  size_t place_ = 0;                // kFollowing: how many of its tasks have come
  Sequence seen_;                   // kSeeing: all that have come
};

}  // namespace vicino::graph
