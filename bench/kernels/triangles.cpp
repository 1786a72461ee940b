// triangles: counts the triangles of a graph with a few very large hubs.
//
// Why    See triangles.hpp. The program is plain OpenMP for any compiler; it knows no runtime.
// Work   The counting: schedule(dynamic, chunk) over the vertices.
// Check  A second algorithm on the same edges. The program fails if the two disagree.
//
//   triangles [log2(vertices)] [repetitions] [chunk]
#include "triangles.hpp"

#include <omp.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace triangles;

int64_t count_by_merging(const Oriented& graph, int chunk) {
  const Neighbours g = graph.neighbours();
  const int64_t vertices = graph.vertices();
  int64_t triangles = 0;
#pragma omp parallel for schedule(dynamic, chunk) reduction(+ : triangles)
  for (int64_t u = 0; u < vertices; ++u) triangles += triangles_from(g, static_cast<Vertex>(u));
  return triangles;
}

int argument(int argc, char** argv, int i, int otherwise, int lowest, int highest) {
  if (i >= argc) return otherwise;
  return std::clamp(std::atoi(argv[i]), lowest, highest);
}

}  // namespace

int main(int argc, char** argv) {
  const int bits = argument(argc, argv, 1, 17, 4, 26);
  const int repetitions = argument(argc, argv, 2, 12, 1, 1'000'000);
  const int chunk = argument(argc, argv, 3, 16, 1, 1 << 20);

  const std::vector<Edge> edges = make_edges(bits);
  const size_t vertices = size_t{1} << bits;
  const Oriented by_degree = orient(edges, rank_by_degree(edges, vertices));
  const int64_t expected = count_by_marking(orient(edges, rank_downwards(vertices)));

  bool right = true;
  const double start = omp_get_wtime();
  for (int i = 0; i < repetitions; ++i) right &= count_by_merging(by_degree, chunk) == expected;
  const double seconds = omp_get_wtime() - start;

  std::printf("graph: %zu vertices, %zu edges, %lld triangles\n", vertices, edges.size(),
              static_cast<long long>(expected));
  std::printf("check: %s\n", right ? "both algorithms agree" : "WRONG");
  std::printf("threads: %d\ncounting: %.6f s\n", omp_get_max_threads(), seconds);
  return right ? 0 : 1;
}
