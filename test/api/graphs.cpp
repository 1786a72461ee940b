// vicino/graph.hpp: graphs of every shape on every number of threads; refusals, exceptions, early
// ends; graphs inside regions and tasks, and several at a time.
// test: uses -std=c++20 -pedantic-errors -Werror
// test: variant plain-2x4 machine=plain-2x4
// test: variant opteron-8x2 machine=opteron-8x2-ladder
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
#include <vicino/graph.hpp>

#include "../omp/check.h"

namespace {

using vicino::graph;
using vicino::graph_builder;

// n x n x n cells, each after its lower neighbours.
graph_builder cube(std::uint32_t n) {
  graph_builder cells;
  for (std::uint32_t x = 0; x < n; ++x)
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t z = 0; z < n; ++z) {
        const std::uint32_t cell = (x * n + y) * n + z;
        std::vector<std::uint32_t> before;
        if (x > 0) before.push_back(cell - n * n);
        if (y > 0) before.push_back(cell - n);
        if (z > 0) before.push_back(cell - 1);
        cells.add(before);
      }
  return cells;
}

graph_builder chain(std::uint32_t n) {
  graph_builder links;
  for (std::uint32_t i = 0; i < n; ++i) i == 0 ? links.add() : links.add({i - 1});
  return links;
}

graph_builder no_edges(std::uint32_t n) {
  graph_builder tasks;
  for (std::uint32_t i = 0; i < n; ++i) tasks.add();
  return tasks;
}

// Few edges between far tasks, from a small generator of pseudo-random numbers.
graph_builder scattered(std::uint32_t n) {
  graph_builder tasks;
  std::uint32_t state = 12345;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> before;
    for (int k = 0; k < 3 && i > 0; ++k) {
      state = state * 1664525u + 1013904223u;
      const std::uint32_t other = (state >> 8) % i;
      if (std::find(before.begin(), before.end(), other) == before.end()) before.push_back(other);
    }
    tasks.add(before, static_cast<float>(state >> 28));
  }
  return tasks;
}

// What a run leaves: each task's depth, computed from those before it. The plain array shows data
// races to ThreadSanitizer, and depths that are wrong.
class Depths {
 public:
  explicit Depths(const graph_builder& tasks) : tasks_(tasks), depth_(tasks.tasks()) {}

  void clear() { std::fill(depth_.begin(), depth_.end(), 0u); }
  void run(std::uint32_t task) {
    CHECK(depth_[task] == 0);  // it runs once
    std::uint32_t deepest = 0;
    for (std::uint32_t e = tasks_.first()[task]; e < tasks_.first()[task + 1]; ++e) {
      const std::uint32_t before = depth_[tasks_.before()[e]];
      CHECK(before != 0);  // it runs after those before it
      deepest = std::max(deepest, before);
    }
    depth_[task] = deepest + 1;
  }
  bool all_ran() const { return std::find(depth_.begin(), depth_.end(), 0u) == depth_.end(); }

 private:
  const graph_builder& tasks_;
  std::vector<std::uint32_t> depth_;
};

const char* const kCoarseStrings[] = {"",      "S",          "C",    "F(3)",     "D(7)",
                                      "CD(4)", "SD(30)F(4)", "F(1)", "D(100000)"};

void each_shape(const graph_builder& tasks) {
  const graph fine(tasks);
  CHECK(fine.tasks() == tasks.tasks());
  CHECK(fine.edges() == tasks.before().size());
  Depths depths(tasks);
  for (const char* coarse_string : kCoarseStrings) {
    graph coarse = fine.coarsen(coarse_string);
    for (int times = 0; times < 3; ++times) {
      depths.clear();
      coarse.run([&](auto task) { depths.run(task); });
      CHECK(depths.all_ran());
    }
    depths.clear();
    coarse.run([&](std::span<const std::uint32_t> some) {
      CHECK(!some.empty());
      for (const std::uint32_t task : some) depths.run(task);
    });
    CHECK(depths.all_ran());
  }
}

// The transpose runs backwards: what a task needs is what comes after it in the graph.
void backward() {
  const graph_builder tasks = cube(8);
  std::vector<std::uint32_t> order(tasks.tasks());
  for (const char* coarse_string : kCoarseStrings) {
    graph turned = graph(tasks).coarsen(coarse_string).transpose();
    std::atomic<std::uint32_t> turn{0};
    turned.run([&](std::uint32_t task) { order[task] = turn++; });
    for (std::uint32_t i = 0; i < tasks.tasks(); ++i)
      for (std::uint32_t e = tasks.first()[i]; e < tasks.first()[i + 1]; ++e)
        CHECK(order[tasks.before()[e]] > order[i]);
  }
}

void aggregates_are_seen() {
  const graph fine(cube(10));
  const graph columns = fine.coarsen("C");
  CHECK(columns.aggregates() == 100);
  CHECK(columns.aggregate_edges() == 180);
  std::vector<int> seen(1000);
  for (std::size_t i = 0; i < columns.aggregates(); ++i)
    for (const std::uint32_t task : columns.aggregate(i)) ++seen[task];
  CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  CHECK(columns.aggregate(100).empty());
  CHECK(columns.explain() == "C: 1000 tasks in 100 aggregates\n");
}

template <class Error, class Make>
void refused(Make make, const char* why) {
  try {
    make();
    std::printf("not refused: %s\n", why);
    CHECK(false);
  } catch (const Error& error) {
    if (std::strstr(error.what(), why) == nullptr)
      std::printf("\"%s\" does not say \"%s\"\n", error.what(), why);
    CHECK(std::strstr(error.what(), why) != nullptr);
  }
}

void refusals() {
  using std::invalid_argument;
  const std::uint32_t first[] = {0, 1, 2, 3}, circle[] = {2, 0, 1};
  refused<invalid_argument>([&] { graph(first, circle); }, "circle: 0 -> 1 -> 2 -> 0");
  const std::uint32_t dangling[] = {2, 0, 7};
  refused<invalid_argument>([&] { graph(first, dangling); }, "task 2 comes after task 7");
  const std::uint32_t wide[] = {0, 0, 2}, doubled[] = {0, 0};
  refused<invalid_argument>([&] { graph(wide, doubled); }, "from task 0 to task 1 is there twice");
  const std::uint32_t falls[] = {0, 2, 1, 3};
  refused<invalid_argument>([&] { graph(falls, circle); }, "first[1] is 2");
  refused<invalid_argument>([&] { graph(first, doubled); }, "do not fit each other");
  const float costs[] = {1, -2, 3};
  const std::uint32_t none[] = {0, 0, 0, 0};
  refused<invalid_argument>([&] { graph(none, {}, costs); }, "task 1 has a cost");
  refused<invalid_argument>([&] { graph(cube(2)).coarsen("SD(3"); }, "at place 5");
  refused<invalid_argument>([&] { graph(cube(2)).coarsen("CD(4)x"); }, "or the whole text");
  refused<invalid_argument>([&] { graph(cube(2)).run([](std::uint32_t) {}, -1); }, "-1 threads");
  refused<invalid_argument>([&] { graph(cube(2)).set_node(8, 0); }, "aggregate 8");
  refused<invalid_argument>([&] { graph(cube(2)).set_node(0, 1000); }, "node 1000");
  refused<invalid_argument>([&] { graph(cube(2)).coarsen("automatic").place(); }, "automatic");
  refused<invalid_argument>([&] { graph(cube(2)).coarsen("automatic").coarsen("S"); }, "already");
}

// The task's number and the program's own exception both reach the caller, and the graph runs
// again.
void exceptions() {
  struct mine {
    int value;
  };
  const graph_builder tasks = cube(12);
  graph fine(tasks);
  for (int times = 0; times < 5; ++times) {
    std::atomic<int> ran{0};
    try {
      fine.run([&](std::uint32_t task) {
        ++ran;
        if (task == 700) throw mine{5};
      });
      CHECK(false);
    } catch (const vicino::task_error& error) {
      CHECK(error.task() == 700);
      CHECK(std::strstr(error.what(), "task 700") != nullptr);
      try {
        std::rethrow_if_nested(error);
        CHECK(false);
      } catch (const mine& inner) {
        CHECK(inner.value == 5);
      }
    }
    CHECK(ran > 0 && ran < 12 * 12 * 12);  // the last cell comes after cell 700
    Depths depths(tasks);
    fine.run([&](std::uint32_t task) { depths.run(task); });
    CHECK(depths.all_ran());
  }
}

// In a region each thread has a graph run by a team of its own, on a graph of its own and on one
// that all share; and a task of a region runs a graph, too.
void inside_regions() {
  const graph_builder tasks = cube(6);
  graph shared = graph(tasks).coarsen("D(5)");
  for (const int levels : {1, 2}) {
    omp_set_max_active_levels(levels);
#pragma omp parallel num_threads(3)
    {
      graph own(tasks);
      Depths depths(tasks);
      for (graph* which : {&own, &shared}) {
        depths.clear();
        which->run([&](std::uint32_t task) { depths.run(task); }, 2);
        CHECK(depths.all_ran());
      }
#pragma omp single
      for (int i = 0; i < 4; ++i)
#pragma omp task shared(shared, tasks)
      {
        Depths of_task(tasks);
        shared.run([&](std::uint32_t task) { of_task.run(task); });
        CHECK(of_task.all_ran());
      }
    }
  }
  omp_set_max_active_levels(1);
}

// Threads of the program's own, all on one graph.
void several_threads() {
  const graph_builder tasks = scattered(2000);
  for (const char* coarse_string : {"", "D(10)", "automatic"}) {
    graph shared = graph(tasks).coarsen(coarse_string);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        Depths depths(tasks);
        for (int times = 0; times < 10; ++times) {
          depths.clear();
          shared.run([&](std::uint32_t task) { depths.run(task); }, 2);
          CHECK(depths.all_ran());
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

// One thread gets whole aggregates, too.
void pieces_are_whole() {
  graph chains = graph(no_edges(5000)).coarsen("F(7)");
  const auto aggregate_of = [&] {
    std::vector<std::size_t> of(chains.tasks());
    for (std::size_t i = 0; i < chains.aggregates(); ++i)
      for (const std::uint32_t task : chains.aggregate(i)) of[task] = i;
    return of;
  }();
  for (const int threads : {1, 2})
    chains.run(
        [&](std::span<const std::uint32_t> some) {
          for (const std::uint32_t end : {some.front(), some.back()}) {
            const auto whole = chains.aggregate(aggregate_of[end]);
            CHECK(end == whole.front() || end == whole.back());
          }
        },
        threads);
}

// The aggregates that a program sees stay the same, whatever the runs try.
void automatic_aggregates_stay() {
  const graph_builder tasks = cube(8);
  graph chosen = graph(tasks).coarsen("D(4)").coarsen("automatic");
  const auto first = chosen.aggregate(0);
  const std::vector<std::uint32_t> kept(first.begin(), first.end());
  for (int times = 0; times < 120; ++times) chosen.run([](std::uint32_t) {});
  CHECK(std::equal(kept.begin(), kept.end(), chosen.aggregate(0).begin()));
  CHECK(std::equal(kept.begin(), kept.end(), first.begin()));
}

void automatic() {
  const graph_builder tasks = cube(14);
  graph chosen = graph(tasks).coarsen("automatic");
  CHECK(chosen.explain().find("has not run yet") != std::string::npos);
  Depths depths(tasks);
  for (int times = 0; times < 150; ++times) {
    depths.clear();
    chosen.run([&](std::uint32_t task) { depths.run(task); });
    CHECK(depths.all_ran());
  }
  CHECK(chosen.explain().find(omp_get_max_threads() == 1 ? "1 thread: " : "threads: ") !=
        std::string::npos);
  graph turned = chosen.transpose();
  for (int times = 0; times < 20; ++times) turned.run([](std::uint32_t) {});
  try {
    chosen.run([](std::uint32_t task) {
      if (task == 9) throw std::runtime_error("stop");
    });
    CHECK(false);
  } catch (const vicino::task_error& error) {
    CHECK(error.task() == 9);
  }
}

// On a machine with one node nothing is moved, and placed graphs run like others.
void placed() {
  const bool is_recorded = std::getenv("VICINO_MACHINE") != nullptr;
  const graph_builder tasks = cube(9);
  std::vector<double> data(tasks.tasks() * 64);
  for (const bool strict : {false, true}) {
    graph on_nodes = graph(tasks).coarsen("D(3)");
    on_nodes.place(strict);
    for (std::size_t i = 0; i < on_nodes.aggregates(); ++i) CHECK(on_nodes.node(i) >= 0);
    const auto move = [&] {
      return on_nodes.move_data([&](std::uint32_t task, auto written) {
        written(&data[task * 64], 64 * sizeof(double));
      });
    };
    if (is_recorded)  // then nothing is known of this machine's memory
      refused<std::system_error>(move, "pages of a graph's tasks");
    else
      CHECK(move() >= data.size() * sizeof(double) / 4096);
    refused<std::runtime_error>(
        [&] { on_nodes.move_data([](std::uint32_t, auto) { throw std::runtime_error("mine"); }); },
        "mine");
    on_nodes.set_node(0, -1);
    CHECK(on_nodes.node(0) == -1);
    Depths depths(tasks);
    on_nodes.run([&](std::uint32_t task) { depths.run(task); });
    CHECK(depths.all_ran());
  }
}

void files() {
  const std::string path = "graphs-" + std::to_string(getpid()) + ".graph";
  const graph_builder tasks = scattered(500);
  graph before = graph(tasks).coarsen("D(6)");
  before.place();
  before.save(path);
  graph after = graph::load(path);
  std::remove(path.c_str());
  CHECK(after.tasks() == before.tasks() && after.edges() == before.edges());
  CHECK(after.aggregates() == before.aggregates());
  for (std::size_t i = 0; i < after.aggregates(); ++i) {
    const auto a = before.aggregate(i), b = after.aggregate(i);
    CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    CHECK(before.node(i) == after.node(i));
  }
  Depths depths(tasks);
  after.run([&](std::uint32_t task) { depths.run(task); });
  CHECK(depths.all_ran());
  refused<std::invalid_argument>([&] { graph::load(path); }, path.c_str());
  refused<std::system_error>([&] { before.save("/no/such/folder/x.graph"); }, "/no/such/folder");
}

void lists() {
  vicino::task_list list;
  std::array<int, 4> order{};
  std::atomic<int> turn{0};
  const auto a = list.add([&] { order[0] = ++turn; });
  const auto b = list.add([&] { order[1] = ++turn; }, {a});
  const auto c = list.add([&] { order[2] = ++turn; }, {a});
  list.add([&] { order[3] = ++turn; }, {b, c});
  for (const char* coarse_string : {"", "S", "automatic"}) {
    list.coarsen(coarse_string);
    for (int times = 0; times < 20; ++times) {
      turn = 0;
      list.run();
      CHECK(turn == 4 && order[0] == 1 && order[3] == 4);
    }
  }
}

}  // namespace

int main() {
  for (const graph_builder& tasks :
       {cube(1), cube(7), chain(300), no_edges(1), no_edges(500), scattered(3000), no_edges(0)})
    each_shape(tasks);
  backward();
  aggregates_are_seen();
  refusals();
  exceptions();
  inside_regions();
  several_threads();
  automatic();
  automatic_aggregates_stay();
  pieces_are_whole();
  placed();
  files();
  lists();
  return check_result();
}
