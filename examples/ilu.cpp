// ilu.cpp: a step of heat conduction in a cube, by an incomplete LU factorisation whose rows are
// the tasks of a graph.
//
//     ilu [POINTS] [COARSE]     on each side, 2 to 200, 30 if left out; a coarse string, "CD(4)" if
//                               left out, for instance "F(32)", "automatic" or "" for single rows
//
// The matrix has seven entries in a row, and the factors have the same places: ILU(0). Row i of the
// factors, and row i of a forward solve, need the rows of the columns left of the diagonal: one
// graph serves both. The backward solve needs the rows of the columns right of it: the transposed
// graph. The graphs are made once and run in each iteration.
//
// To build: c++ -O2 -fopenmp -c ilu.cpp, then c++ ilu.o -lvicino; see docs/reference/linking.md.
#include <vicino/graph.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Vector = std::vector<double>;

struct System {
  uint32_t rows = 0;
  std::vector<uint32_t> first, column,
      diagonal;           // columns of a row rise; diagonal[i] is where i is
  Vector matrix, factor;  // the values at these places
  Vector b, x, change, residual;
};

System heat_in_cube(uint32_t n) {
  System s;
  s.rows = n * n * n;
  s.first.push_back(0);
  for (uint32_t row = 0; row < s.rows; ++row) {
    const uint32_t z = row % n, y = row / n % n, x = row / n / n;
    const auto put = [&s](bool there, uint32_t column, double value) {
      if (!there) return;
      s.column.push_back(column);
      s.matrix.push_back(value);
    };
    put(x > 0, row - n * n, -1);
    put(y > 0, row - n, -1);
    put(z > 0, row - 1, -1);
    s.diagonal.push_back(static_cast<uint32_t>(s.column.size()));
    put(true, row, 7);
    put(z + 1 < n, row + 1, -1);
    put(y + 1 < n, row + n, -1);
    put(x + 1 < n, row + n * n, -1);
    s.first.push_back(static_cast<uint32_t>(s.column.size()));
  }
  s.factor = s.matrix;
  for (uint32_t row = 0; row < s.rows; ++row) s.b.push_back(row * 2654435761u % 1000);
  s.x = s.change = s.residual = Vector(s.rows);
  return s;
}

void factor_row(System& s, uint32_t row) {
  for (uint32_t at = s.first[row]; at < s.diagonal[row]; ++at) {
    const uint32_t above = s.column[at];
    s.factor[at] /= s.factor[s.diagonal[above]];
    for (uint32_t from = s.diagonal[above] + 1; from < s.first[above + 1]; ++from)
      for (uint32_t to = at + 1; to < s.first[row + 1]; ++to)
        if (s.column[to] == s.column[from]) s.factor[to] -= s.factor[at] * s.factor[from];
  }
}

void forward_row(System& s, uint32_t row) {
  double sum = s.residual[row];
  for (uint32_t at = s.first[row]; at < s.diagonal[row]; ++at)
    sum -= s.factor[at] * s.change[s.column[at]];
  s.change[row] = sum;
}

void backward_row(System& s, uint32_t row) {
  double sum = s.change[row];
  for (uint32_t at = s.diagonal[row] + 1; at < s.first[row + 1]; ++at)
    sum -= s.factor[at] * s.change[s.column[at]];
  s.change[row] = sum / s.factor[s.diagonal[row]];
}

// A graph's body: the tasks are rows. A graph calls it once for each aggregate.
template <void (*kWork)(System&, uint32_t row)>
int for_rows(const uint32_t* rows, size_t count, void* system) {
  for (size_t i = 0; i < count; ++i) kWork(*static_cast<System*>(system), rows[i]);
  return 0;
}

vicino_graph* made(vicino_graph* graph, const char* why) {
  if (graph != nullptr) return graph;
  std::fprintf(stderr, "ilu: %s\n", why);
  std::exit(2);
}

void run(vicino_graph* graph, vicino_graph_body* body, System& s) {
  const int error = vicino_graph_run(graph, body, &s, nullptr);
  if (error == 0) return;
  std::fprintf(stderr, "ilu: the graph was not run: error %d\n", error);
  std::exit(1);
}

// The residual becomes b - A x. Returns its length.
double subtract_product(System& s) {
  double squares = 0;
  for (uint32_t row = 0; row < s.rows; ++row) {
    double sum = s.b[row];
    for (uint32_t at = s.first[row]; at < s.first[row + 1]; ++at)
      sum -= s.matrix[at] * s.x[s.column[at]];
    s.residual[row] = sum;
    squares += sum * sum;
  }
  return std::sqrt(squares);
}

// The tasks before a row are its columns left of the diagonal.
vicino_graph* graph_of(const System& s, const char* coarse) {
  std::vector<uint32_t> first{0}, before;
  for (uint32_t row = 0; row < s.rows; ++row) {
    before.insert(before.end(), s.column.begin() + s.first[row],
                  s.column.begin() + s.diagonal[row]);
    first.push_back(static_cast<uint32_t>(before.size()));
  }
  char why[256];
  vicino_graph* const fine =
      made(vicino_graph_new(s.rows, first.data(), before.data(), nullptr, why, sizeof why), why);
  vicino_graph* const graph = vicino_graph_coarsen(fine, coarse, why, sizeof why);
  vicino_graph_free(fine);
  return made(graph, why);
}

// Returns the number of iterations, each of which adds (L U)^-1 (b - A x) to x.
int solve(System& s, vicino_graph* graph, vicino_graph* transposed) {
  run(graph, for_rows<factor_row>, s);
  const double goal = 1e-10 * subtract_product(s);
  int iterations = 0;
  for (; iterations < 500 && subtract_product(s) > goal; ++iterations) {
    run(graph, for_rows<forward_row>, s);
    run(transposed, for_rows<backward_row>, s);
    for (uint32_t row = 0; row < s.rows; ++row) s.x[row] += s.change[row];
  }
  return iterations;
}

}  // namespace

int main(int argc, char** argv) {
  char* rest = nullptr;
  const long points = argc > 1 ? std::strtol(argv[1], &rest, 10) : 30;
  if (argc > 3 || points < 2 || points > 200 || (rest != nullptr && *rest != '\0')) {
    std::fprintf(stderr, "ilu: '%s' points; give 2 to 200, then a coarse string\n", argv[1]);
    return 2;
  }
  System s = heat_in_cube(static_cast<uint32_t>(points));
  vicino_graph* const graph = graph_of(s, argc > 2 ? argv[2] : "CD(4)");
  char why[256];
  vicino_graph* const transposed = made(vicino_graph_transpose(graph, why, sizeof why), why);
  const double before = subtract_product(s);
  const int iterations = solve(s, graph, transposed);
  const double left = subtract_product(s) / before;
  const char* const verdict = left < 2e-10 ? "solved" : "not solved";
  std::printf("%u rows in %zu aggregates, %d iterations, residual %.1e: %s\n", s.rows,
              vicino_graph_aggregates(graph), iterations, left, verdict);
  vicino_graph_free(graph);
  vicino_graph_free(transposed);
  return left < 2e-10 ? 0 : 1;
}
