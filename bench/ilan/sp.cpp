// sp: an implicit flow solver whose factors are scalar and pentadiagonal along one axis after the
// other.
//
// Why    sp is bt with a quarter of the arithmetic: memory counts for more, and loops are shorter.
// Steps  A step is one in time. Along an axis the five quantities are transformed to its waves,
//        which do not depend on each other: five scalar systems, which contain the fourth
//        differences.
// Check  See flow.hpp. Besides, a line's elimination must undo the product with its coefficients.
#include "../kernels/flow.hpp"
#include "kernel.hpp"

namespace {

using bench::State;

constexpr long kMostCells = 1024;  // in a row

// The coefficients of the five systems: two cells below the diagonal, one below, ..., two above.
using Row = std::array<State, 5>;

class Kernel : public bench::AxisByAxis<Kernel> {
 public:
  static constexpr const char* kName = "sp";
  static constexpr bench::Sizes kSizes{
      .usual = 20, .small = 7, .least = 5, .most = kMostCells};  // cells in a row
  static constexpr double kTolerance = 1e-12;

  using AxisByAxis::AxisByAxis;

 private:
  friend AxisByAxis;

  Row row(int d, long line, long i) const {
    constexpr State kSpeeds{bench::Flow::kWave, -bench::Flow::kWave, 0, 0, 0};
    const double spread = flow_.dt * bench::Flow::kViscosity / (flow_.h * flow_.h);
    const double damping = flow_.dt * flow_.dissipation(i), carried = flow_.dt / (2 * flow_.h);
    const double v = flow_.speed(flow_.u[line + i * flow_.stride(d)], d);
    Row row;
    for (int m = 0; m < 5; ++m) {
      const double wave = carried * (v + kSpeeds[m]);
      row[0][m] = row[4][m] = damping;
      row[1][m] = -wave - spread - 4 * damping;
      row[2][m] = 1 + 2 * spread + 6 * damping;
      row[3][m] = wave - spread - 4 * damping;
    }
    return row;
  }

  // The line along `d` that begins at p.
  void sweep(int d, long p) {
    State waves[kMostCells];
    const auto& basis = flow_.basis[d];
    const long s = flow_.stride(d);
    for (long i = 1; i < flow_.n - 1; ++i)
      for (int m = 0; m < 5; ++m) waves[i][m] = bench::dot(basis[m], flow_.change[p + i * s]);
    eliminate(d, p, waves);
    for (long i = 1; i < flow_.n - 1; ++i) {
      State& change = flow_.change[p + i * s];
      change = {};
      for (int m = 0; m < 5; ++m) bench::add_times(change, waves[i][m], basis[m]);
    }
  }

  void eliminate(int d, long line, State* x) const {
    // What elimination leaves above the diagonal; the diagonal becomes 1.
    State next[kMostCells], after[kMostCells];
    const long n = flow_.n;
    for (long i = 1; i < n - 1; ++i) {
      Row c = row(d, line, i);
      for (int m = 0; m < 5; ++m) {
        if (i > 2) {
          c[1][m] -= c[0][m] * next[i - 2][m];
          c[2][m] -= c[0][m] * after[i - 2][m];
          x[i][m] -= c[0][m] * x[i - 2][m];
        }
        if (i > 1) {
          c[2][m] -= c[1][m] * next[i - 1][m];
          c[3][m] -= c[1][m] * after[i - 1][m];
          x[i][m] -= c[1][m] * x[i - 1][m];
        }
        const double inverse = 1 / c[2][m];
        next[i][m] = inverse * c[3][m];
        after[i][m] = inverse * c[4][m];
        x[i][m] *= inverse;
      }
    }
    for (long i = n - 3; i >= 1; --i)
      for (int m = 0; m < 5; ++m) {
        x[i][m] -= next[i][m] * x[i + 1][m];
        if (i < n - 3) x[i][m] -= after[i][m] * x[i + 2][m];
      }
  }

  State product(int d, long line, long i, const State* x) const {
    const Row c = row(d, line, i);
    State result{};
    for (long o = -2; o <= 2; ++o)
      for (int m = 0; flow_.is_inner(i + o) && m < 5; ++m) result[m] += c[o + 2][m] * x[i + o][m];
    return result;
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
