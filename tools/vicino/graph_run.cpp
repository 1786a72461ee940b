#include "graph_run.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "graph/file.hpp"
#include "library.hpp"
#include "say.hpp"
#include "vicino/graph.h"

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

// The runtime, as programs have it. The command itself does not contain it: a command that reads
// the settings of OpenMP would also warn of them, and count and explain what it does.
class Runtime {
 public:
  Runtime() : library_(dlopen(find_library(kUsage).c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw Failure(kUsage, fmt::format("graph: {}", dlerror()));
  }

  template <class Function>
  Function* get(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) throw Failure(kUsage, fmt::format("graph: {}", dlerror()));
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* const library_;  // stays for the life of the process, as its threads do
};

// A graph that the runtime has read from a file: so it comes with its aggregates and nodes.
class Graph {
 public:
  Graph(const GraphWork& work, bool automatic) {
    const TemporaryFolder folder("graph");
    const std::filesystem::path file = folder.path() / "graph";
    const Error error =
        graph::save(work.graph, work.coarse.tasks, work.nodes, work.strict, file.string());
    if (!error.text.empty()) throw Failure(kUsage, "graph: " + error.text);
    char why[512] = "no memory";
    handle_ = runtime_.get<decltype(vicino_graph_load)>("vicino_graph_load")(file.c_str(), why,
                                                                             sizeof why);
    if (handle_ != nullptr && automatic)
      handle_ = runtime_.get<decltype(vicino_graph_coarsen)>("vicino_graph_coarsen")(
          handle_, "automatic", why, sizeof why);
    if (handle_ == nullptr) throw Failure(kUsage, fmt::format("graph: {}", why));
  }

  void run(Bodies& bodies, int threads) {
    const vicino_graph_options options{threads};
    if (run_(handle_, Bodies::run, &bodies, &options) != 0)
      throw Failure(kUsage, "graph: there is not enough memory to run it");
  }

  std::string explain() const {
    const auto tell = runtime_.get<decltype(vicino_graph_explain)>("vicino_graph_explain");
    std::string text(tell(handle_, nullptr, 0), '\0');
    tell(handle_, text.data(), text.size() + 1);
    return text;
  }

 private:
  Runtime runtime_;
  vicino_graph* handle_ = nullptr;
  decltype(vicino_graph_run)* run_ = runtime_.get<decltype(vicino_graph_run)>("vicino_graph_run");
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
std::pair<Times, Times> time_both(Graph& graph, Bodies& bodies, int threads) {
  Times alone, together;
  const auto time = [&](int by, Times& times) {
    const auto start = Clock::now();
    graph.run(bodies, by);
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

}  // namespace

std::string run_text(const GraphWork& work, int threads, bool automatic) {
  Graph graph(work, automatic);
  Bodies bodies(work.graph);
  for (int i = 0; i < (automatic ? kUntilChosen : 1); ++i) graph.run(bodies, threads);
  const auto [alone, together] = time_both(graph, bodies, threads);
  std::string text = fmt::format("{:16}{}\n{:16}{}\n{:16}{:.2f}\n", "1 thread", alone.text(),
                                 fmt::format("{} threads", threads), together.text(), "speed-up",
                                 alone.at(0.5) / together.at(0.5));
  return automatic ? text + "\n" + graph.explain() : text;
}

}  // namespace vicino::cli
