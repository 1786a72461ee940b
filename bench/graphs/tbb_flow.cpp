// tbb_flow: oneTBB's flow graph: a continue_node for each unit. The nodes are made once.
#include <tbb/flow_graph.h>

#include <deque>

#include "tbb_backend.hpp"

namespace {

class Flow {
 public:
  static constexpr const char* kName = "oneTBB flow graph";

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

}  // namespace

int main(int argc, char** argv) { return bench::graphs_main<bench::TbbBackend<Flow>>(argc, argv); }
