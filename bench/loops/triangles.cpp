// triangles: for each vertex of a graph with a few very large hubs, the triangles whose lowest
// corner it is.
//
// Why    Most vertices cost nanoseconds, those next to hubs cost much more, and the graph alone
//        says which. See ../kernels/triangles.hpp, which makes the graph and counts.
// Work   Steps of merging two sorted lists.
// Check  Each vertex's count by a serial form, added once for each call. A vertex without triangles
//        counts as well.
#include "../kernels/triangles.hpp"

#include "kernel.hpp"

namespace {

using triangles::Vertex;

constexpr int kCalls = 6;

// An upper bound of the steps that the merges take: each merge goes through both lists.
uint64_t steps_from(const triangles::Neighbours& g, Vertex u) {
  uint64_t steps = 0;
  for (const Vertex* v = g.begin(u); v != g.end(u); ++v)
    steps += static_cast<uint64_t>((g.end(u) - v - 1) + (g.end(*v) - g.begin(*v)));
  return steps;
}

class Kernel {
 public:
  static constexpr const char* kName = "triangles";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale) : graph_(make(scale)), counts_(vertices()), expected_(vertices()) {
    works_.emplace_back("count", "merge steps, at most", bench::Published{6.3, 5.9, 84});
    const auto g = graph_.neighbours();
    for (long u = 0; u < vertices(); ++u) {
      expected_[u] = kCalls * (1 + triangles::triangles_from(g, static_cast<Vertex>(u)));
      works_[0].add(steps_from(g, static_cast<Vertex>(u)));
    }
  }

  void prepare() { std::fill(counts_.begin(), counts_.end(), 0); }

  void run(bench::Tickets& tickets) {
    const auto g = graph_.neighbours();
    const long trip = vertices();
    for (int call = 0; call < kCalls; ++call) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long u = 0; u < trip; ++u) {
        seen += bench::ticket(u);
        counts_[u] += 1 + triangles::triangles_from(g, static_cast<Vertex>(u));
      }
      tickets.loop(seen, trip);
    }
  }

  bool right() const { return counts_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  static triangles::Oriented make(double scale) {
    const int bits = std::clamp(static_cast<int>(std::lround(13 + std::log2(scale))), 4, 22);
    const auto edges = triangles::make_edges(bits);
    return triangles::orient(edges, triangles::rank_by_degree(edges, size_t{1} << bits));
  }
  long vertices() const { return graph_.vertices(); }

  triangles::Oriented graph_;
  std::vector<int64_t> counts_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
