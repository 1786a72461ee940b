#include "graph_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/task_graph.hpp"
#include "region/graph.hpp"

namespace vicino::cli {
namespace {

constexpr double kNsPerCost = 50;
constexpr int kTimes = 15;
constexpr int kUntilChosen = 150;  // runs of an automatic graph before it is timed

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void spin(uint64_t turns) {
  for (uint64_t i = 0; i < turns; ++i) asm volatile("");
}

// Turns of spin() in a nanosecond.
double turns_per_ns() {
  constexpr uint64_t kTurns = 2'000'000;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    spin(kTurns);
    best = std::max(best, kTurns / ns_since(start));
  }
  return best;
}

class Bodies {
 public:
  explicit Bodies(const graph::Graph& tasks) {
    const double per_cost = kNsPerCost * turns_per_ns();
    turns_.reserve(tasks.size());
    for (uint32_t i = 0; i < tasks.size(); ++i)
      turns_.push_back(static_cast<uint64_t>(per_cost * tasks.cost(i)));
  }

  static int run(const uint32_t* tasks, size_t count, void* data) {
    const Bodies& self = *static_cast<const Bodies*>(data);
    for (size_t i = 0; i < count; ++i) spin(self.turns_[tasks[i]]);
    return 0;
  }

 private:
  std::vector<uint64_t> turns_;
};

struct Times {
  std::vector<double> ns;

  double at(double place) const {
    return ns[static_cast<size_t>(place * static_cast<double>(ns.size() - 1))];
  }
  std::string text() const {
    return fmt::format("{:.3f} ms [{:.3f}, {:.3f}]", at(0.5) / 1e6, at(0.25) / 1e6, at(0.75) / 1e6);
  }
};

// The two in turns: what disturbs the machine disturbs both.
std::pair<Times, Times> time_both(graph::TaskGraph& graph, Bodies& bodies, int threads) {
  Times alone, together;
  const auto time = [&](int by, Times& times) {
    const auto start = Clock::now();
    region::run(graph, {Bodies::run, &bodies, by});
    times.ns.push_back(ns_since(start));
  };
  for (int i = 0; i < kTimes; ++i) {
    time(1, alone);
    time(threads, together);
  }
  std::ranges::sort(alone.ns);
  std::ranges::sort(together.ns);
  return {std::move(alone), std::move(together)};
}

std::unique_ptr<graph::TaskGraph> made(const GraphWork& work, bool automatic) {
  auto graph = std::make_unique<graph::TaskGraph>(std::make_shared<const graph::Graph>(work.graph),
                                                  std::make_shared<graph::Plan>(work.coarse),
                                                  work.passes.value_or(""));
  graph::Placement& placement = graph->plan().placement();
  for (const int node : work.nodes)  // this machine may have fewer
    placement.node.push_back(node < 0 ? graph::Placement::kNone : node % region::memory_nodes());
  placement.strict.assign(work.strict.begin(), work.strict.end());
  return automatic ? *graph->coarsened("automatic") : std::move(graph);
}

}  // namespace

std::string run_text(const GraphWork& work, int threads, bool automatic) {
  const auto graph = made(work, automatic);
  Bodies bodies(work.graph);
  for (int i = 0; i < (automatic ? kUntilChosen : 1); ++i)
    region::run(*graph, {Bodies::run, &bodies, threads});
  const auto [alone, together] = time_both(*graph, bodies, threads);
  std::string text = fmt::format("{:16}{}\n{:16}{}\n{:16}{:.2f}\n", "1 thread", alone.text(),
                                 fmt::format("{} threads", threads), together.text(), "speed-up",
                                 alone.at(0.5) / together.at(0.5));
  return automatic ? text + "\n" + graph->explain() : text;
}

}  // namespace vicino::cli
