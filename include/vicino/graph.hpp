// graph.hpp: task graphs in C++20, on the threads of OpenMP's regions.
//
//     vicino::graph_builder rows;
//     for (auto& row : matrix) rows.add(row.columns_before_the_diagonal());
//     vicino::graph solve = vicino::graph(rows).coarsen("CD(4)");
//     solve.run([&](std::uint32_t row) { x[row] = solve_row(row); });
//
//     vicino::task_list list;                    // or tasks with a body each
//     auto a = list.add([&] { read(); });
//     auto b = list.add([&] { compute(); }, {a});
//     list.run();
//
// vicino/graph.h says what a graph is and how it runs; vicino/graph.hpp uses only that, and its
// templates become part of the program. It adds:
//
//   bodies       body(task), called for each task; or body(tasks), with a std::span of tasks that
//                are to be run in its order: one call for many tasks. Several threads at a time
//                call one object: the caller's
//   exceptions   an exception that leaves a body ends the run early: aggregates that have begun are
//                finished. It reaches the caller as a task_error, which names the task and has the
//                exception nested in it (std::rethrow_if_nested); if there are several, it is one
//                of them. The graph can be run again
//   refusals     what graph.h refuses throws std::invalid_argument with its message
//
// More, with examples: docs/reference/graphs-api.md.
#ifndef VICINO_GRAPH_HPP
#define VICINO_GRAPH_HPP

#include <vicino/graph.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace vicino {

// Task `task` has thrown; with a body for many tasks, one of the tasks from that one on.
class task_error : public std::runtime_error, public std::nested_exception {
 public:
  // `why` is the text of the exception that left the body.
  task_error(std::uint32_t its_task, const std::string& why)
      : std::runtime_error("vicino: task " + std::to_string(its_task) + " of a graph: " + why),
        task_(its_task) {}

  // The task's number.
  std::uint32_t task() const noexcept { return task_; }

 private:
  std::uint32_t task_;
};

// Tasks one by one, each after tasks that are there already.
class graph_builder {
 public:
  // Takes memory for so many, so that add() need not.
  void reserve(std::size_t tasks, std::size_t edges) {
    first_.reserve(tasks + 1);
    before_.reserve(edges);
    cost_.reserve(tasks);
  }

  // Returns the number of the task; numbers are counted from 0. A task that is not there yet is
  // refused when the graph is made.
  std::uint32_t add(std::span<const std::uint32_t> after = {}, float cost = 1) {
    before_.insert(before_.end(), after.begin(), after.end());
    if (before_.size() > UINT32_MAX - std::size_t{1})
      throw std::length_error("vicino: a graph of more than 2^32 - 2 edges");
    first_.push_back(static_cast<std::uint32_t>(before_.size()));
    cost_.push_back(cost);
    return static_cast<std::uint32_t>(cost_.size() - 1);
  }
  std::uint32_t add(std::initializer_list<std::uint32_t> after, float cost = 1) {
    return add(std::span(after.begin(), after.size()), cost);
  }

  // How many tasks there are, and their arrays as vicino_graph_new takes them.
  std::size_t tasks() const noexcept { return cost_.size(); }
  std::span<const std::uint32_t> first() const noexcept { return first_; }
  std::span<const std::uint32_t> before() const noexcept { return before_; }
  std::span<const float> cost() const noexcept { return cost_; }

 private:
  std::vector<std::uint32_t> first_{0}, before_;
  std::vector<float> cost_;
};

namespace detail {

// A body, and the first exception that left it.
template <class Body>
class graph_body {
 public:
  static constexpr bool kTakesOne = std::is_invocable_v<Body&, std::uint32_t>;

  explicit graph_body(Body& body) : body_(body) {}

  static int run(const std::uint32_t* tasks, std::size_t count, void* data) noexcept {
    auto& self = *static_cast<graph_body*>(data);
    std::uint32_t task = tasks[0];
    try {
      if constexpr (kTakesOne) {
        for (std::size_t i = 0; i < count; ++i) self.body_(task = tasks[i]);
      } else {
        static_assert(std::is_invocable_v<Body&, std::span<const std::uint32_t>>,
                      "the body of a graph takes a task, or a std::span of tasks");
        self.body_(std::span(tasks, count));
      }
      return 0;
    } catch (...) {
      self.keep(task);
      return ECANCELED;
    }
  }

  static int run_range(std::uint32_t first, std::size_t count, int step, void* data) noexcept {
    auto& self = *static_cast<graph_body*>(data);
    std::uint32_t task = first;
    try {
      const auto tasks = static_cast<std::uint32_t>(count);
      if (step > 0)
        for (const std::uint32_t end = first + tasks; task != end; ++task) self.body_(task);
      else
        for (const std::uint32_t end = first - tasks; task != end; --task) self.body_(task);
      return 0;
    } catch (...) {
      self.keep(task);
      return ECANCELED;
    }
  }

  // For the caller, when the run has ended.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void keep(std::uint32_t task) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_) return;
    try {
      try {
        throw;
      } catch (const std::exception& error) {
        throw task_error(task, error.what());
      } catch (...) {
        throw task_error(task, "an exception that is no std::exception");
      }
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  Body& body_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

// What says which memory tasks write, and the first exception that left it; it is not asked again
// then.
template <class Writes>
struct writes_body {
  Writes& writes;
  std::exception_ptr error;

  static void run(std::uint32_t task, vicino_graph_list* list, void* data) noexcept {
    auto& self = *static_cast<writes_body*>(data);
    if (self.error) return;
    try {
      self.writes(task, [list](const void* start, std::size_t bytes) {
        vicino_graph_written(list, start, bytes);
      });
    } catch (...) {
      self.error = std::current_exception();
    }
  }
};

// What generates tasks, and an exception that left it.
template <class Generate>
struct generator {
  Generate& generate;
  std::exception_ptr error;

  static void run(void* data) noexcept {
    auto& self = *static_cast<generator*>(data);
    try {
      self.generate();
    } catch (...) {
      self.error = std::current_exception();
    }
  }
};

}  // namespace detail

// A task graph: a vicino_graph that is freed with the object. Its functions are those of
// vicino/graph.h.
class graph {
 public:
  // `first` and `before` as in vicino_graph_new; `cost` may be empty. Throws std::invalid_argument.
  graph(std::span<const std::uint32_t> first, std::span<const std::uint32_t> before,
        std::span<const float> cost = {}) {
    if (first.empty() || first.back() != before.size() ||
        (!cost.empty() && cost.size() != first.size() - 1))
      throw std::invalid_argument(
          "vicino: the arrays of a graph do not fit each other: first has " +
          std::to_string(first.size()) + " elements, before " + std::to_string(before.size()) +
          ", cost " + std::to_string(cost.size()));
    char why[kMessage] = "";
    take(vicino_graph_new(first.size() - 1, first.data(), before.data(),
                          cost.empty() ? nullptr : cost.data(), why, sizeof why),
         why);
  }
  explicit graph(const graph_builder& tasks) : graph(tasks.first(), tasks.before(), tasks.cost()) {}

  // From a file, and to a file that load() reads: in Vicino's own format. save() throws
  // std::system_error if the file cannot be written.
  static graph load(const std::string& path) {
    char why[kMessage] = "";
    return graph(vicino_graph_load(path.c_str(), why, sizeof why), why);
  }
  void save(const std::string& path) const {
    char why[kMessage] = "";
    const int error = vicino_graph_save(handle(), path.c_str(), why, sizeof why);
    if (error == ENOMEM) throw std::bad_alloc();
    if (error != 0)
      throw std::system_error(error, std::generic_category(), std::string("vicino: ") + why);
  }

  // The tasks that generate() generates by OpenMP's constructs; they run once meanwhile:
  // vicino_graph_record says more. Throws std::invalid_argument if they cannot run again, and an
  // exception that leaves generate(). The function object is kept with the graph, for tasks may
  // reach what a lambda captures through the lambda.
  //
  //     auto step = vicino::graph::record([&] {
  //       for (int i = 0; i < n; ++i) {
  //         #pragma omp task shared(blocks) depend(inout : blocks[i])
  //         update(blocks[i]);
  //       }
  //     });
  //     while (!converged()) step.run();
  template <class Generate>
  static graph record(Generate&& generate) {
    auto owned = std::make_shared<std::decay_t<Generate>>(std::forward<Generate>(generate));
    detail::generator<std::decay_t<Generate>> kept{*owned, nullptr};
    char why[kMessage] = "";
    vicino_graph* const made = vicino_graph_record(kept.run, &kept, why, sizeof why);
    if (kept.error) {
      vicino_graph_free(made);
      std::rethrow_exception(kept.error);
    }
    return graph(made, why, std::move(owned));
  }

  // A new graph, with coarser aggregates or with all edges the other way round; this one stays as
  // it is.
  graph coarsen(const std::string& coarse_string) const {
    char why[kMessage] = "";
    return graph(vicino_graph_coarsen(handle(), coarse_string.c_str(), why, sizeof why), why,
                 recorded_);
  }
  graph transpose() const {
    char why[kMessage] = "";
    return graph(vicino_graph_transpose(handle(), why, sizeof why), why, recorded_);
  }

  // How many the graph has.
  std::size_t tasks() const noexcept { return vicino_graph_tasks(handle()); }
  std::size_t edges() const noexcept { return vicino_graph_edges(handle()); }
  std::size_t aggregates() const noexcept { return vicino_graph_aggregates(handle()); }
  std::size_t aggregate_edges() const noexcept { return vicino_graph_aggregate_edges(handle()); }
  // The tasks of an aggregate, in the order in which they run; empty if there is no such
  // aggregate.
  std::span<const std::uint32_t> aggregate(std::size_t number) const noexcept {
    std::size_t count;
    const std::uint32_t* const its_tasks = vicino_graph_aggregate(handle(), number, &count);
    return {its_tasks, count};
  }

  // Runs `body` on each task once. `threads`: 0 for as many as a region has. Throws task_error,
  // std::bad_alloc, and std::invalid_argument for a negative number of threads.
  template <class Body>
    requires(!std::is_integral_v<std::remove_cvref_t<Body>>)
  void run(Body&& body, int threads = 0) {
    using Kept = detail::graph_body<std::remove_reference_t<Body>>;
    Kept kept(body);
    const vicino_graph_options options{threads};
    int error;
    if constexpr (Kept::kTakesOne)
      error = vicino_graph_run_ranges(handle(), Kept::run_range, Kept::run, &kept, &options);
    else
      error = vicino_graph_run(handle(), Kept::run, &kept, &options);
    kept.rethrow();
    check(error, threads);
  }
  // Runs what was recorded. Throws std::logic_error if nothing was.
  void run(int threads = 0) {
    const vicino_graph_options options{threads};
    const int error = vicino_graph_run(handle(), nullptr, nullptr, &options);
    if (error == EINVAL && threads >= 0)
      throw std::logic_error("vicino: a graph that was not recorded needs a body to run");
    check(error, threads);
  }

  // Gives the aggregates, or one of them, to memory nodes: vicino_graph_place says how. Throws
  // std::invalid_argument if the graph is automatic.
  void place(bool strict = false) {
    const int error = vicino_graph_place(handle(), strict);
    if (error == ENOMEM) throw std::bad_alloc();
    if (error != 0) throw std::invalid_argument("vicino: an automatic graph has no nodes");
  }
  void set_node(std::size_t aggregate, int node, bool strict = false) {
    const int error = vicino_graph_set_node(handle(), aggregate, node, strict);
    if (error == ENOMEM) throw std::bad_alloc();
    if (error != 0)
      throw std::invalid_argument("vicino: aggregate " + std::to_string(aggregate) + " and node " +
                                  std::to_string(node) +
                                  ": one of them does not exist, or the "
                                  "graph is automatic");
  }
  // The node that an aggregate was given to; -1: none.
  int node(std::size_t aggregate) const noexcept { return vicino_graph_node(handle(), aggregate); }

  // Moves the pages that the tasks of each node write to that node: writes(task, written) calls
  // written(start, bytes) for what the task writes. Returns how many pages were given to a node.
  // Throws what `writes` throws, and std::system_error if some pages could not be moved.
  template <class Writes>
  std::size_t move_data(Writes&& writes) const {
    detail::writes_body<std::remove_reference_t<Writes>> kept{writes, nullptr};
    std::size_t pages = 0;
    const int error = vicino_graph_move_data(handle(), kept.run, &kept, &pages);
    if (kept.error) std::rethrow_exception(kept.error);
    if (error == ENOMEM) throw std::bad_alloc();
    if (error != 0)
      throw std::system_error(error, std::generic_category(), "vicino: pages of a graph's tasks");
    return pages;
  }

  // Which coarse string the graph has and why, as vicino_graph_explain says it.
  std::string explain() const {
    std::string text(vicino_graph_explain(handle(), nullptr, 0), '\0');
    vicino_graph_explain(handle(), text.data(), text.size() + 1);
    return text;
  }

  // For the functions of vicino/graph.h.
  const vicino_graph* handle() const noexcept { return handle_.get(); }
  vicino_graph* handle() noexcept { return handle_.get(); }

 private:
  static constexpr std::size_t kMessage = 512;

  static void check(int error, int threads) {
    if (error == ENOMEM) throw std::bad_alloc();
    if (error == EINVAL)
      throw std::invalid_argument("vicino: a graph with " + std::to_string(threads) +
                                  " threads; it must be 0, for as many as a region has, or more");
  }

  graph(vicino_graph* its_handle, const char* why, std::shared_ptr<const void> recorded = nullptr)
      : recorded_(std::move(recorded)) {
    take(its_handle, why);
  }
  void take(vicino_graph* its_handle, const char* why) {
    if (its_handle == nullptr) throw std::invalid_argument(std::string("vicino: ") + why);
    handle_.reset(its_handle);
  }

  struct deleter {
    void operator()(vicino_graph* graph) const noexcept { vicino_graph_free(graph); }
  };
  std::unique_ptr<vicino_graph, deleter> handle_;
  std::shared_ptr<const void> recorded_;  // the function object that generated recorded tasks
};

// Tasks with a body each. The bodies are kept, so the list may run any number of times.
class task_list {
 public:
  // Adds a task that comes after others. Returns its number, for tasks that come after it.
  std::uint32_t add(std::function<void()> body, std::initializer_list<std::uint32_t> after = {},
                    float cost = 1) {
    return add(std::move(body), std::span(after.begin(), after.size()), cost);
  }
  std::uint32_t add(std::function<void()> body, std::span<const std::uint32_t> after,
                    float cost = 1) {
    graph_.reset();
    bodies_.push_back(std::move(body));
    return tasks_.add(after, cost);
  }

  // The coarse string of the next runs; "" as at first.
  void coarsen(std::string coarse_string) {
    graph_.reset();
    coarse_string_ = std::move(coarse_string);
  }
  // Runs each task once, as graph::run() does. Not while another thread runs the list or adds to
  // it.
  void run(int threads = 0) {
    if (!graph_) graph_ = graph(tasks_).coarsen(coarse_string_);
    graph_->run([this](std::uint32_t task) { bodies_[task](); }, threads);
  }

 private:
  graph_builder tasks_;
  std::vector<std::function<void()>> bodies_;
  std::string coarse_string_;
  std::optional<graph> graph_;
};

}  // namespace vicino

#endif
