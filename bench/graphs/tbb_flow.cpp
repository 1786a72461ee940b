// tbb_flow: oneTBB's flow graph: a continue_node for each unit. The nodes are made once.
#include <tbb/flow_graph.h>
#include <tbb/parallel_for.h>

#include <deque>

#include "../tasks/tbb/arena.hpp"
#include "program.hpp"
#include "units.hpp"

namespace {

class Flow {
 public:
  explicit Flow(const vicino::graph::Coarse& coarse) {
    for (uint32_t unit = 0; unit < coarse.graph.size(); ++unit) {
      const auto tasks = coarse.tasks[unit];
      nodes_.emplace_back(graph_, [this, tasks](const Message&) {
        (*body_)(tasks.data(), tasks.size());
        return Message();
      });
    }
    for (uint32_t unit = 0; unit < coarse.graph.size(); ++unit) {
      if (coarse.graph.before(unit).empty()) roots_.push_back(unit);
      for (const uint32_t next : coarse.graph.after(unit))
        tbb::flow::make_edge(nodes_[unit], nodes_[next]);
    }
  }

  void run(const bench::Body& body) {
    body_ = &body;
    for (const uint32_t root : roots_) nodes_[root].try_put(Message());
    graph_.wait_for_all();
  }

 private:
  using Message = tbb::flow::continue_msg;

  tbb::flow::graph graph_;
  std::deque<tbb::flow::continue_node<Message>> nodes_;  // they cannot be moved
  std::vector<uint32_t> roots_;
  const bench::Body* body_ = nullptr;
};

class Backend {
 public:
  static constexpr const char* kName = "oneTBB flow graph";
  static constexpr bool kSearches = false;

  Backend(const bench::Pattern& before, const std::string& coarse) : units_(before, coarse) {
    // A graph uses the arena in which it was made.
    bench::in_arena([this] {
      forward_.emplace(units_.of(bench::Operation::kForward));
      backward_.emplace(units_.of(bench::Operation::kBackward));
    });
  }
  void run(bench::Operation operation, const bench::Body& body) {
    Flow& flow = operation == bench::Operation::kBackward ? *backward_ : *forward_;
    bench::in_arena([&] { flow.run(body); });
  }
  template <class Each>
  static void loop(long count, const Each& each) {
    bench::in_arena([&] { tbb::parallel_for(0L, count, each, tbb::static_partitioner()); });
  }
  bench::Division division() const { return units_.division(); }
  static std::string explanation() { return {}; }

 private:
  bench::Units units_;
  std::optional<Flow> forward_, backward_;
};

}  // namespace

int main(int argc, char** argv) { return bench::graphs_main<Backend>(argc, argv); }
