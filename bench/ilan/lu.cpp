// lu: an implicit flow solver by symmetric over-relaxation: one wavefront goes up through the cube,
// and one comes back.
//
// Why    A cell needs its three lower neighbours, then its three upper ones. So lines along x are
//        processed by diagonals, those with equal y + z at once. That makes many short loops of
//        different lengths, and most threads idle at the beginning and at the end of a sweep.
// Steps  A step is one in time: one relaxation of (1 + dt L) change = dt rate, where first
//        differences are taken from the side that each wave comes from. Terms of lower neighbours
//        are below the diagonal, terms of upper ones above it, and on it are full blocks.
// Check  See flow.hpp. Besides, the two sweeps must undo the product with the same blocks.
#include "../kernels/flow.hpp"
#include "kernel.hpp"

namespace {

using bench::Block;
using bench::State;
using States = bench::Array<State>;

constexpr double kRelaxation = 1.2;

// Solves a x = b in place. There are no pivots: a is positive definite.
void solve(Block a, State& x) {
  for (int k = 0; k < 5; ++k) {
    const double inverse = 1 / a[k][k];
    for (int r = k + 1; r < 5; ++r) {
      const double factor = inverse * a[r][k];
      for (int c = k + 1; c < 5; ++c) a[r][c] -= factor * a[k][c];
      x[r] -= factor * x[k];
    }
  }
  for (int r = 4; r >= 0; --r) {
    for (int c = r + 1; c < 5; ++c) x[r] -= a[r][c] * x[c];
    x[r] /= a[r][r];
  }
}

class Kernel : public bench::FlowKernel {
 public:
  static constexpr const char* kName = "lu";
  static constexpr bench::Sizes kSizes{
      .usual = 16, .small = 7, .least = 5, .most = 2048};  // cells in a row
  static constexpr double kTolerance = 1e-12;

  using FlowKernel::FlowKernel;

  template <class Form>
  void step(Form form, long) {
    flow_.find_change(form, kRelaxation * (2 - kRelaxation));
    const long inner = flow_.n - 2, last = 2 * inner;
    for (long diagonal = 2; diagonal <= last; ++diagonal)
      each_line(form, diagonal, [&](long j, long k) {
        for (long i = 1; i <= inner; ++i) relax_up(flow_.change, flow_.at(i, j, k));
      });
    for (long diagonal = last; diagonal >= 2; --diagonal)
      each_line(form, diagonal, [&](long j, long k) {
        for (long i = inner; i >= 1; --i) relax_down(flow_.change, flow_.at(i, j, k));
      });
    flow_.add_change(form);
  }

  const char* complaint() const {
    return undoes_product() ? flow_.complaint(0.25) : "the two sweeps do not undo the product";
  }

 private:
  template <class Form, class Body>
  void each_line(Form form, long diagonal, const Body& body) {
    const long inner = flow_.n - 2, first = std::max(1L, diagonal - inner);
    const long last = std::min(inner, diagonal - 1);
    form.loop(last - first + 1, [&](long l) { body(first + l, diagonal - first - l); });
  }

  double spread() const { return flow_.dt * bench::Flow::kViscosity / (flow_.h * flow_.h); }
  double carried() const { return flow_.dt / flow_.h; }

  // The part of x in cell p that belongs to waves along d, each wave times its speed: waves that go
  // up for sign 1, down for sign -1.
  State upwind(int d, long p, int sign, const State& x) const {
    const double v = flow_.speed(flow_.u[p], d), c = bench::Flow::kWave;
    const auto one_way = [sign](double speed) { return std::max(sign * speed, 0.0); };
    const auto& basis = flow_.basis[d];
    State result{};
    bench::add_times(result, one_way(v), x);
    bench::add_times(result, (one_way(v + c) - one_way(v)) * bench::dot(basis[0], x), basis[0]);
    bench::add_times(result, (one_way(v - c) - one_way(v)) * bench::dot(basis[1], x), basis[1]);
    return result;
  }

  Block diagonal_block(long p) const {
    Block block{};
    bench::add_identity(block, 1 + 6 * spread());
    for (int d = 0; d < 3; ++d) {
      const double v = flow_.speed(flow_.u[p], d), c = bench::Flow::kWave;
      bench::add_identity(block, carried() * std::abs(v));
      bench::add_outer(block, carried() * (std::abs(v + c) - std::abs(v)), flow_.basis[d][0]);
      bench::add_outer(block, carried() * (std::abs(v - c) - std::abs(v)), flow_.basis[d][1]);
    }
    return block;
  }

  // The negated terms of p's neighbours on one side. On the surface nothing changes.
  State from_neighbours(const States& x, long p, int sign) const {
    State sum{};
    for (int d = 0; d < 3; ++d) {
      const long q = p - sign * flow_.stride(d);
      bench::add_times(sum, spread(), x[q]);
      bench::add_times(sum, carried(), upwind(d, q, sign, x[q]));
    }
    return sum;
  }

  void relax_up(const States& x, long p) const {
    bench::add_times(x[p], kRelaxation, from_neighbours(x, p, 1));
    solve(diagonal_block(p), x[p]);
  }
  void relax_down(const States& x, long p) const {
    State above = from_neighbours(x, p, -1);
    solve(diagonal_block(p), above);
    bench::add_times(x[p], kRelaxation, above);
  }

  // Multiplies `wanted` by (D - w L) D^-1 (D - w U); then the sweeps must give `wanted` back.
  bool undoes_product() const {
    const long all = flow_.u.size();
    States wanted(all), x(all);
    for (long p = 0; p < all; ++p) wanted[p] = x[p] = State{};
    each_inner([&](long p) {
      for (int m = 0; m < 5; ++m) wanted[p][m] = bench::uniform(static_cast<uint64_t>(5 * p + m));
    });
    States half(all);
    for (long p = 0; p < all; ++p) half[p] = wanted[p];
    each_inner([&](long p) {
      State above = from_neighbours(wanted, p, -1);
      solve(diagonal_block(p), above);
      bench::add_times(half[p], -kRelaxation, above);
    });
    each_inner([&](long p) {
      const Block diagonal = diagonal_block(p);
      for (int m = 0; m < 5; ++m) x[p][m] = bench::dot(diagonal[m], half[p]);
      bench::add_times(x[p], -kRelaxation, from_neighbours(half, p, 1));
    });
    each_inner([&](long p) { relax_up(x, p); });
    each_inner([&](long p) { relax_down(x, all - 1 - p); });
    double most = 0;
    each_inner([&](long p) {
      for (int m = 0; m < 5; ++m) most = std::max(most, bench::apart(x[p][m], wanted[p][m]));
    });
    return most <= 1e-11;
  }

  // Visits cells in the order of memory. `all - 1 - p` is an inner cell, too.
  template <class Body>
  void each_inner(const Body& body) const {
    for (long k = 1; k < flow_.n - 1; ++k)
      for (long j = 1; j < flow_.n - 1; ++j)
        for (long i = 1; i < flow_.n - 1; ++i) body(flow_.at(i, j, k));
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
