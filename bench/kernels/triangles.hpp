// triangles.hpp: a graph with a few very large hubs, and two ways to count its triangles.
//
// Why    A loop that no static schedule suits: most vertices cost nanoseconds, a hub costs
//        milliseconds, and the graph alone says where the hubs are.
// Work   triangles_from(u) merges sorted lists of neighbours that are oriented from low to high
//        degree. Memory-bound at the hubs, branchy elsewhere.
// Check  count_by_marking() takes the same edges, oriented by vertex number instead of degree, and
//        marks neighbours instead of merging them.
// Not    a benchmark of building graphs: that part is serial.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace triangles {

using Vertex = uint32_t;
using Edge = std::pair<Vertex, Vertex>;

inline constexpr uint64_t kSeed = 20260;
inline constexpr int kEdgesPerVertex = 12;

// A pseudorandom number that depends on `place` alone, so the graph is the same everywhere.
inline double uniform(uint64_t place) {
  uint64_t x = (place + kSeed) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1p-53;
}

// A recursive-matrix edge: each bit of both ends selects a quarter of the adjacency matrix. The
// first quarter is selected far more often than the others, so degrees follow a power law.
inline Edge recursive_matrix_edge(uint64_t number, int bits) {
  Vertex u = 0, v = 0;
  for (int bit = 0; bit < bits; ++bit) {
    const double r = uniform(number * 64 + static_cast<uint64_t>(bit));
    u = u * 2 + (r >= 0.76);
    v = v * 2 + ((r >= 0.57 && r < 0.76) || r >= 0.95);
  }
  return {std::min(u, v), std::max(u, v)};
}

inline std::vector<Edge> make_edges(int bits) {
  std::vector<Edge> edges(size_t{kEdgesPerVertex} << bits);
  for (size_t i = 0; i < edges.size(); ++i) edges[i] = recursive_matrix_edge(i, bits);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [](const Edge& e) { return e.first == e.second; });
  return edges;
}

// Each vertex with its neighbours of higher rank, sorted. Neighbours does not own the memory.
struct Neighbours {
  const size_t* first;
  const Vertex* to;

  const Vertex* begin(Vertex v) const { return to + first[v]; }
  const Vertex* end(Vertex v) const { return to + first[v + 1]; }
};

struct Oriented {
  std::vector<size_t> first;
  std::vector<Vertex> to;

  int64_t vertices() const { return static_cast<int64_t>(first.size()) - 1; }
  Neighbours neighbours() const { return {first.data(), to.data()}; }
};

inline Oriented orient(const std::vector<Edge>& edges, const std::vector<Vertex>& rank) {
  Oriented g{std::vector<size_t>(rank.size() + 1), std::vector<Vertex>(edges.size())};
  const auto ends = [&](const Edge& e) { return std::minmax(rank[e.first], rank[e.second]); };
  for (const Edge& e : edges) ++g.first[ends(e).first + 1];
  std::partial_sum(g.first.begin(), g.first.end(), g.first.begin());
  std::vector<size_t> next(g.first.begin(), g.first.end() - 1);
  for (const Edge& e : edges) g.to[next[ends(e).first]++] = ends(e).second;
  for (size_t v = 0; v < rank.size(); ++v)
    std::sort(g.to.begin() + static_cast<ptrdiff_t>(g.first[v]),
              g.to.begin() + static_cast<ptrdiff_t>(g.first[v + 1]));
  return g;
}

inline std::vector<Vertex> rank_by_degree(const std::vector<Edge>& edges, size_t vertices) {
  std::vector<Vertex> degree(vertices), order(vertices), rank(vertices);
  for (const auto& [u, v] : edges) ++degree[u], ++degree[v];
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](Vertex a, Vertex b) { return std::pair(degree[a], a) < std::pair(degree[b], b); });
  for (size_t i = 0; i < vertices; ++i) rank[order[i]] = static_cast<Vertex>(i);
  return rank;
}

// The hubs of a recursive matrix have low numbers. Their rank is high here: hubs are the far ends.
inline std::vector<Vertex> rank_downwards(size_t vertices) {
  std::vector<Vertex> rank(vertices);
  std::iota(rank.rbegin(), rank.rend(), 0u);
  return rank;
}

inline int64_t common(const Vertex* a, const Vertex* a_end, const Vertex* b, const Vertex* b_end) {
  int64_t n = 0;
  while (a != a_end && b != b_end) {
    const Vertex x = *a, y = *b;
    n += x == y;
    a += x <= y;
    b += y <= x;
  }
  return n;
}

// Triangles whose lowest corner is u.
inline int64_t triangles_from(const Neighbours& g, Vertex u) {
  int64_t n = 0;
  for (const Vertex* v = g.begin(u); v != g.end(u); ++v)
    n += common(v + 1, g.end(u), g.begin(*v), g.end(*v));
  return n;
}

inline int64_t count_by_marking(const Oriented& graph) {
  const Neighbours g = graph.neighbours();
  const int64_t vertices = graph.vertices();
  int64_t triangles = 0;
#pragma omp parallel reduction(+ : triangles)
  {
    std::vector<Vertex> marked_by(static_cast<size_t>(vertices), ~Vertex{0});
#pragma omp for schedule(guided)
    for (int64_t i = 0; i < vertices; ++i) {
      const auto u = static_cast<Vertex>(i);
      for (const Vertex* v = g.begin(u); v != g.end(u); ++v) marked_by[*v] = u;
      for (const Vertex* v = g.begin(u); v != g.end(u); ++v)
        for (const Vertex* w = g.begin(*v); w != g.end(*v); ++w) triangles += marked_by[*w] == u;
    }
  }
  return triangles;
}

}  // namespace triangles
