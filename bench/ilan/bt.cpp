// bt: an implicit flow solver whose factors are block tridiagonal along one axis after the other.
//
// Why    Each cell needs much arithmetic: elimination along a line works with 5 by 5 blocks. The
//        lines of a sweep are independent; the sweeps along y and z go through memory in strides.
// Steps  A step is one in time: (1 + dt L_x)(1 + dt L_y)(1 + dt L_z) change = dt rate; the fourth
//        differences are explicit.
// Check  See flow.hpp. Besides, a line's elimination must undo the product with the same blocks.
#include "../kernels/flow.hpp"
#include "kernel.hpp"

namespace {

using bench::Block;
using bench::State;

constexpr long kMostCells = 512;  // in a row

struct Cell {
  Block lower, middle, upper;
};

State times(const Block& a, const State& x) {
  State result;
  for (int m = 0; m < 5; ++m) result[m] = bench::dot(a[m], x);
  return result;
}

// Replaces x and the columns of b by a^-1 times them. There are no pivots: a is near the identity.
void solve(Block& a, Block& b, State& x) {
  for (int k = 0; k < 5; ++k) {
    const double inverse = 1 / a[k][k];
    for (int c = k + 1; c < 5; ++c) a[k][c] *= inverse;
    for (int c = 0; c < 5; ++c) b[k][c] *= inverse;
    x[k] *= inverse;
    for (int r = 0; r < 5; ++r) {
      if (r == k) continue;
      const double factor = a[r][k];
      for (int c = k + 1; c < 5; ++c) a[r][c] -= factor * a[k][c];
      for (int c = 0; c < 5; ++c) b[r][c] -= factor * b[k][c];
      x[r] -= factor * x[k];
    }
  }
}

class Kernel : public bench::AxisByAxis<Kernel> {
 public:
  static constexpr const char* kName = "bt";
  static constexpr bench::Sizes kSizes{
      .usual = 15, .small = 7, .least = 5, .most = kMostCells};  // cells in a row
  static constexpr double kTolerance = 1e-12;

  using AxisByAxis::AxisByAxis;

 private:
  friend AxisByAxis;

  Cell cell(int d, long p) const {
    const double spread = flow_.dt * bench::Flow::kViscosity / (flow_.h * flow_.h);
    const double carried = flow_.dt / (2 * flow_.h), v = flow_.speed(flow_.u[p], d);
    Cell cell{};
    for (int m = 0; m < 5; ++m) {
      bench::add_times(cell.upper[m], carried, flow_.coupling(d)[m]);
      bench::add_times(cell.lower[m], -carried, flow_.coupling(d)[m]);
    }
    bench::add_identity(cell.upper, carried * v - spread);
    bench::add_identity(cell.lower, -carried * v - spread);
    bench::add_identity(cell.middle, 1 + 2 * spread);
    return cell;
  }

  // The line along `d` that begins at p.
  void sweep(int d, long p) { eliminate(d, p, &flow_.change[p], flow_.stride(d)); }

  void eliminate(int d, long p, State* x, long stride = 1) const {
    Block upper[kMostCells];
    const long n = flow_.n, s = flow_.stride(d);
    for (long i = 1; i < n - 1; ++i) {
      Cell c = cell(d, p + i * s);
      if (i > 1) {
        bench::add_times(x[i * stride], -1, times(c.lower, x[(i - 1) * stride]));
        for (int row = 0; row < 5; ++row)
          for (int m = 0; m < 5; ++m)
            bench::add_times(c.middle[row], -c.lower[row][m], upper[i - 1][m]);
      }
      solve(c.middle, c.upper, x[i * stride]);
      upper[i] = c.upper;
    }
    for (long i = n - 3; i >= 1; --i)
      bench::add_times(x[i * stride], -1, times(upper[i], x[(i + 1) * stride]));
  }

  State product(int d, long p, long i, const State* x) const {
    const Cell c = cell(d, p + i * flow_.stride(d));
    State result = times(c.lower, x[i - 1]);
    bench::add_times(result, 1, times(c.middle, x[i]));
    bench::add_times(result, 1, times(c.upper, x[i + 1]));
    return result;
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
