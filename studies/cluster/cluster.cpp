#include "cluster.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

namespace cluster {
namespace {

// Calls each(machine, i) for each i below `count`, on the host's threads.
template <class Each>
void in_parallel(std::deque<Node::Machine>& machines, size_t count, Each each) {
  std::atomic<size_t> next{0};
  const auto work = [&](Node::Machine& machine) {
    for (size_t i; (i = next.fetch_add(1)) < count;) each(machine, i);
  };
  std::vector<std::jthread> threads;
  for (size_t t = 1; t < std::min(machines.size(), count); ++t)
    threads.emplace_back([&, t] { work(machines[t]); });
  work(machines[0]);
}

// What a run of one cluster adds up.
class Sums {
 public:
  Sums(uint32_t nodes, const Workload& workload, const Parameters& parameters, const Scale& scale)
      : scale_(scale), network_(nodes, workload, parameters) {}

  void step(std::span<const Time> loops) {
    network_.step(loops);
    if (++steps_ == scale_.warm) begin_ = network_.now();
    if (steps_ <= scale_.warm) return;
    for (const Time slack : network_.slack()) slack_ += static_cast<double>(slack);
  }

  std::span<const Time> slack() const { return network_.slack(); }

  Outcome outcome(std::span<const Node> nodes) const {
    const double time = static_cast<double>(network_.now() - begin_);
    Outcome outcome{static_cast<uint32_t>(nodes.size()), time / scale_.steps / 1000,
                    slack_ / time / static_cast<double>(nodes.size()), 0, 0};
    for (const Node& node : nodes) {
      outcome.fraction += node.fraction() / static_cast<double>(nodes.size());
      outcome.moved += node.moved() / static_cast<double>(nodes.size());
    }
    return outcome;
  }

 private:
  const Scale& scale_;
  Network network_;
  uint32_t steps_ = 0;
  Time begin_ = 0;
  double slack_ = 0;
};

class Simulation {
 public:
  Simulation(const Strategy& strategy, const Workload& workload, const Parameters& parameters,
             const Scale& scale)
      : strategy_(strategy), workload_(workload), parameters_(parameters), scale_(scale) {
    for (uint32_t t = 0; t < scale.threads; ++t) machines_.emplace_back(parameters);
  }

  // Nodes that do not know their slack know nothing of each other: those of the largest cluster
  // are run once, and the smaller clusters are made of the first of them.
  std::vector<Outcome> without_slack() {
    std::vector<Node> nodes = make(std::ranges::max(scale_.nodes));
    const uint32_t steps = scale_.warm + scale_.steps;
    std::vector<std::vector<Time>> loops(steps, std::vector<Time>(nodes.size()));
    in_parallel(machines_, nodes.size(), [&](Node::Machine& machine, size_t n) {
      for (uint32_t s = 0; s < steps; ++s) loops[s][n] = nodes[n].step(machine, 0);
    });
    std::vector<Outcome> outcomes;
    for (const uint32_t count : scale_.nodes) {
      Sums sums(count, workload_, parameters_, scale_);
      for (const auto& step : loops) sums.step(std::span(step).first(count));
      outcomes.push_back(sums.outcome(std::span(nodes).first(count)));
    }
    return outcomes;
  }

  std::vector<Outcome> with_slack() {
    std::vector<Outcome> outcomes;
    for (const uint32_t count : scale_.nodes) {
      std::vector<Node> nodes = make(count);
      std::vector<Time> loops(count);
      Sums sums(count, workload_, parameters_, scale_);
      for (uint32_t s = 0; s < scale_.warm + scale_.steps; ++s) {
        in_parallel(machines_, count, [&](Node::Machine& machine, size_t n) {
          loops[n] = nodes[n].step(machine, sums.slack()[n]);
        });
        sums.step(loops);
      }
      outcomes.push_back(sums.outcome(nodes));
    }
    return outcomes;
  }

 private:
  std::vector<Node> make(uint32_t count) {
    std::vector<Node> nodes;
    nodes.reserve(count);
    for (uint32_t n = 0; n < count; ++n)
      nodes.emplace_back(n, workload_, parameters_, strategy_, scale_.seed);
    return nodes;
  }

  const Strategy& strategy_;
  const Workload& workload_;
  const Parameters& parameters_;
  const Scale& scale_;
  std::deque<Node::Machine> machines_;
};

}  // namespace

std::vector<Outcome> simulate(const Strategy& strategy, const Workload& workload,
                              const Parameters& parameters, const Scale& scale) {
  Simulation simulation(strategy, workload, parameters, scale);
  return strategy.slack ? simulation.with_slack() : simulation.without_slack();
}

}  // namespace cluster
