#include "graph_layout.hpp"

#include <algorithm>
#include <utility>

namespace vicino::cli {
namespace {

constexpr double kMargin = 16, kBesides = 14, kBendWidth = 10, kLayerHeight = 56;
constexpr int kSweeps = 12;

// The places nearest to `wish` (by the sum of squares) that do not fall: neighbours in the order
// that wish for less than the one before them get their mean.
std::vector<double> rising(const std::vector<double>& wish) {
  struct Pool {
    double sum;
    size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const double place : wish) {
    pools.push_back({place, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> places;
  for (const Pool& pool : pools) places.insert(places.end(), pool.count, pool.mean());
  return places;
}

class Layers {
 public:
  Layers(const graph::Graph& graph, Point box) : graph_(graph), box_(box) {
    const std::vector<uint32_t> depth = graph::depths(graph);
    for (uint32_t task = 0; task < graph.size(); ++task) add(depth[task], box.x + kBesides);
    for (uint32_t task = 0; task < graph.size(); ++task)
      for (const uint32_t next : graph.after(task)) add_edge(task, next, depth);
  }

  GraphLayout run() {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      sort_by(above_, true);
      sort_by(below_, false);
    }
    for (auto& layer : layers_) place_side_by_side(layer);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (auto& layer : layers_) place(layer);
      std::ranges::for_each(layers_.rbegin(), layers_.rend(),
                            [this](auto& layer) { place(layer); });
    }
    return layout();
  }

 private:
  using Numbers = std::vector<uint32_t>;

  // A task or a bend. Tasks have the first numbers.
  uint32_t add(uint32_t depth, double width) {
    const auto number = static_cast<uint32_t>(x_.size());
    if (depth >= layers_.size()) layers_.resize(depth + 1);
    layer_.push_back(depth);
    width_.push_back(width);
    rank_.push_back(static_cast<double>(layers_[depth].size()));
    x_.push_back(0);
    above_.emplace_back();
    below_.emplace_back();
    layers_[depth].push_back(number);
    return number;
  }

  void join(uint32_t above, uint32_t below) {
    below_[above].push_back(below);
    above_[below].push_back(above);
  }

  void add_edge(uint32_t from, uint32_t to, const Numbers& depth) {
    edges_.push_back({from, to, {}});
    bends_.emplace_back();
    uint32_t last = from;
    for (uint32_t layer = depth[from] + 1; layer < depth[to]; ++layer) {
      const uint32_t bend = add(layer, kBendWidth);
      join(last, bend);
      bends_.back().push_back(last = bend);
    }
    join(last, to);
  }

  static double mean(const Numbers& of, const std::vector<double>& values, double otherwise) {
    if (of.empty()) return otherwise;
    double sum = 0;
    for (const uint32_t number : of) sum += values[number];
    return sum / static_cast<double>(of.size());
  }

  void sort_by(const std::vector<Numbers>& neighbours, bool down) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      Numbers& layer = layers_[down ? i : layers_.size() - 1 - i];
      for (const uint32_t number : layer)
        x_[number] = mean(neighbours[number], rank_, rank_[number]);
      std::ranges::sort(layer, {},
                        [this](uint32_t number) { return std::pair(x_[number], rank_[number]); });
      for (size_t place = 0; place < layer.size(); ++place)
        rank_[layer[place]] = static_cast<double>(place);
    }
  }

  double step(uint32_t left, uint32_t right) const { return (width_[left] + width_[right]) / 2; }

  void place_side_by_side(const Numbers& layer) {
    double x = 0;
    for (size_t i = 0; i < layer.size(); ++i)
      x_[layer[i]] = i == 0 ? x : (x += step(layer[i - 1], layer[i]));
    for (const uint32_t number : layer) x_[number] -= x / 2;
  }

  // Steps are taken off the wishes, so that it is enough if what is left does not fall.
  void place(const Numbers& layer) {
    std::vector<double> wish;
    double offset = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset += step(layer[i - 1], layer[i]);
      const double above = mean(above_[layer[i]], x_, x_[layer[i]]);
      const double below = mean(below_[layer[i]], x_, x_[layer[i]]);
      wish.push_back((above + below) / 2 - offset);
    }
    wish = rising(wish);
    offset = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset += step(layer[i - 1], layer[i]);
      x_[layer[i]] = wish[i] + offset;
    }
  }

  GraphLayout layout() {
    double left = 0, right = 0;
    for (size_t i = 0; i < x_.size(); ++i) {
      left = std::min(left, x_[i] - width_[i] / 2);
      right = std::max(right, x_[i] + width_[i] / 2);
    }
    const auto point = [&](uint32_t number) {
      return Point{x_[number] - left + kMargin,
                   kMargin + box_.y / 2 + kLayerHeight * layer_[number]};
    };
    GraphLayout layout;
    for (uint32_t task = 0; task < graph_.size(); ++task) layout.tasks.push_back(point(task));
    for (size_t i = 0; i < edges_.size(); ++i)
      for (const uint32_t bend : bends_[i]) edges_[i].bends.push_back(point(bend));
    layout.edges = std::move(edges_);
    layout.width = right - left + 2 * kMargin;
    const double gaps = layers_.empty() ? 0 : static_cast<double>(layers_.size() - 1);
    layout.height = 2 * kMargin + box_.y + kLayerHeight * gaps;
    return layout;
  }

  const graph::Graph& graph_;
  const Point box_;
  std::vector<Numbers> layers_;         // from left to right
  std::vector<uint32_t> layer_;         // of each task and bend
  std::vector<double> width_;           // with the space beside it
  std::vector<double> rank_, x_;        // place in the layer's order; middle
  std::vector<Numbers> above_, below_;  // neighbours in the layers beside
  std::vector<DrawnEdge> edges_;
  std::vector<Numbers> bends_;  // of each edge
};

}  // namespace

GraphLayout layout_of(const graph::Graph& graph, Point box) { return Layers(graph, box).run(); }

}  // namespace vicino::cli
