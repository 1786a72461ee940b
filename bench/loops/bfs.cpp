// bfs: breadth-first search, level by level; each level is a loop over all vertices, not a queue.
//
// Why    An iteration's cost changes with every call: a vertex of the present level reads its
//        edges, while all other vertices cost next to nothing. Degrees are uniform, or follow a
//        power law.
// Work   Edges read. The published figures are edges per vertex, whenever they are read.
// Check  The distances of a serial search with a queue, from every source.
//
// Several threads may reach a vertex at once. They write the same distance, through atomics.
// Relaxed order is enough, because the barrier at the loop's end separates the levels.
#include <atomic>

#include "graph.hpp"
#include "kernel.hpp"

namespace {

constexpr int kSources = 24;
constexpr int kUnreached = -1;

bench::Rows make(bool power, long vertices) {
  bench::Rows rows;
  for (long v = 0; v < vertices; ++v) {
    const uint64_t place = static_cast<uint64_t>(v) << 20;
    const long degree = power ? bench::power_law(place, 26, 1500) : 33 + bench::pick(place, 31);
    for (long e = 1; e <= degree; ++e) rows.to.push_back(bench::pick(place + e, vertices));
    rows.end_row();
  }
  return rows;
}

class Kernel {
 public:
  static constexpr const char* kName = "bfs";
  static constexpr std::array kInputs = {"uniform", "power"};

  Kernel(size_t input, double scale)
      : graph_(make(input == 1, bench::scaled(20'000, scale, 1, kSources))),
        distance_(graph_.count()),
        in_level_(graph_.count()),
        in_next_(graph_.count()) {
    works_.emplace_back(
        "all edges", "edges",
        input == 1 ? bench::Published{83, 2.2e4, 120} : bench::Published{48, 82, 110});
    works_.emplace_back("visit", "edges read");
    works_.emplace_back("advance", "vertices");
    for (long v = 0; v < graph_.count(); ++v) works_[0].add(graph_.length(v));
    for (int s = 0; s < kSources; ++s) {
      expected_.push_back(search_by_queue(source(s)));
      note_levels(expected_.back());
    }
  }

  void prepare() { right_ = true; }
  void run(bench::Tickets& tickets) {
    for (int s = 0; s < kSources; ++s) {
      search_by_levels(source(s), tickets);
      right_ &= distance_ == expected_[s];
    }
  }
  bool right() const { return right_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  long source(int s) const { return s * (graph_.count() / kSources); }

  void search_by_levels(long from, bench::Tickets& tickets) {
    std::fill(distance_.begin(), distance_.end(), kUnreached);
    distance_[from] = 0;
    in_level_[from] = 1;
    const long trip = graph_.count();
    for (long found = 1; found > 0;) {
      uint64_t visited = 0, advanced = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : visited)
      for (long v = 0; v < trip; ++v) {
        visited += bench::ticket(v);
        if (in_level_[v]) visit(v);
      }
      tickets.loop(visited, trip);
      found = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : advanced, found)
      for (long v = 0; v < trip; ++v) {
        advanced += bench::ticket(v);
        in_level_[v] = in_next_[v];
        in_next_[v] = 0;
        found += in_level_[v];
      }
      tickets.loop(advanced, trip);
    }
  }

  void visit(long v) {
    const int reached = distance_[v] + 1;
    for (long e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
      const int32_t u = graph_.to[e];
      std::atomic_ref distance(distance_[u]);
      if (distance.load(std::memory_order_relaxed) != kUnreached) continue;
      distance.store(reached, std::memory_order_relaxed);
      std::atomic_ref(in_next_[u]).store(1, std::memory_order_relaxed);
    }
  }

  std::vector<int> search_by_queue(long from) const {
    std::vector<int> distance(graph_.count(), kUnreached);
    std::vector<long> queue{from};
    distance[from] = 0;
    for (size_t next = 0; next < queue.size(); ++next) {
      const long v = queue[next];
      for (long e = graph_.first[v]; e < graph_.first[v + 1]; ++e)
        if (int& d = distance[graph_.to[e]]; d == kUnreached) {
          d = distance[v] + 1;
          queue.push_back(graph_.to[e]);
        }
    }
    return distance;
  }

  void note_levels(const std::vector<int>& distance) {
    const int last = *std::max_element(distance.begin(), distance.end());
    for (int level = 0; level <= last; ++level)
      for (long v = 0; v < graph_.count(); ++v) {
        works_[1].add(distance[v] == level ? graph_.length(v) : 0);
        works_[2].add(1);
      }
  }

  bench::Rows graph_;
  std::vector<int> distance_;
  std::vector<uint8_t> in_level_, in_next_;
  std::vector<std::vector<int>> expected_;
  std::vector<bench::Work> works_;
  bool right_ = true;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
