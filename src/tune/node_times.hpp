// node_times.hpp: how fast each NUMA node runs a call site's iterations, when all nodes work at it.
//
// Source ILAN (papers/ilan, section III): the fastest node is the first of a node mask.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tune/estimate.hpp"

namespace vicino::tune {

class NodeTimes {
 public:
  static constexpr uint32_t kSure = 3;

  // The fastest node in an earlier run of the program; -1 if that is not known. It counts as the
  // fastest until each recorded node was recorded kSure times.
  void begin_with(int fastest) noexcept { remembered_ = fastest; }
  // `cost`: ns per iteration, for instance.
  void record(int node, double cost) {
    const auto at = static_cast<size_t>(node);
    if (at >= nodes_.size()) nodes_.resize(at + 1);
    nodes_[at].add(cost);
  }

  // The fastest of the recorded nodes; -1 if none was recorded.
  int fastest() const noexcept {
    const auto sure = [](const Estimate& node) {
      return node.count() == 0 || node.count() >= kSure;
    };
    if (remembered_ >= 0 && (nodes_.empty() || !std::ranges::all_of(nodes_, sure)))
      return remembered_;
    int fastest = -1;
    double least = 0;
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_[node].count() == 0) continue;
      const double cost = nodes_[node].value();
      if (fastest >= 0 && cost >= least) continue;
      fastest = static_cast<int>(node);
      least = cost;
    }
    return fastest;
  }

 private:
  std::vector<Estimate> nodes_;
  int remembered_ = -1;
};

}  // namespace vicino::tune
