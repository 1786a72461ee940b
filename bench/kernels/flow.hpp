// flow.hpp: five quantities that are carried and spread in a cube: the problem of bt, sp and lu.
//
//     du/dt = sum over d of [ nu d2u/dd2 - (v_d(u) + K_d) du/dd ] - dissipation + force
//
// Why    Three implicit solvers share one problem, as in the NAS benchmarks: first-order terms that
//        couple all five quantities, with wave speeds that depend on the solution; second-order
//        terms; fourth differences against the shortest waves; values fixed on the surface.
// K_d    This matrix is symmetric and full: two waves, of speed c and -c, and three directions that
//        stand still, all turned by one reflection. So K_d, |K_d + v| and their eigenvectors are
//        known without iteration, and no block of a matrix is sparse.
// Check  The force is such that a known field is the steady state of the difference equations, and
//        not only in the limit. The disturbance that is added at first must fade at least as fast
//        as the longest wave does by nu alone.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "apart.hpp"
#include "array.hpp"
#include "numbers.hpp"

namespace bench {

using State = std::array<double, 5>;
using Block = std::array<State, 5>;

inline double dot(const State& a, const State& b) {
  double sum = 0;
  for (int m = 0; m < 5; ++m) sum += a[m] * b[m];
  return sum;
}
inline void add_times(State& to, double factor, const State& x) {
  for (int m = 0; m < 5; ++m) to[m] += factor * x[m];
}
inline void add_outer(Block& to, double factor, const State& x) {
  for (int m = 0; m < 5; ++m) add_times(to[m], factor * x[m], x);
}
inline void add_identity(Block& to, double factor) {
  for (int m = 0; m < 5; ++m) to[m][m] += factor;
}

// The eigenvectors of K_d, the first for the speed c, the second for -c.
inline std::array<State, 5> wave_basis(int direction) {
  const double cosine = 0.8, sine = 0.6, half = std::sqrt(0.5);
  std::array<State, 5> basis{};
  for (const int sign : {1, -1}) {
    State& wave = basis[sign > 0 ? 0 : 1];
    wave[0] = cosine * half;
    wave[4] = sine * half;
    wave[1 + direction] = sign * half;
  }
  basis[2][0] = -sine;
  basis[2][4] = cosine;
  basis[3][1 + (direction + 1) % 3] = basis[4][1 + (direction + 2) % 3] = 1;
  const State across{0.5, -0.3, 0.6, 0.2, -0.5};
  for (State& vector : basis)
    add_times(vector, -2 * dot(across, vector) / dot(across, across), across);
  return basis;
}

class Flow {
 public:
  static constexpr double kWave = 1, kViscosity = 0.05, kDissipation = 0.02;
  static constexpr double kCourant = 0.7;

  explicit Flow(long size)
      : n(size),
        h(1 / static_cast<double>(size - 1)),
        dt(kCourant * h / (kWave + 0.5)),
        u(size * size * size),
        change(u.size()),
        force_(u.size()) {
    for (int d = 0; d < 3; ++d) {
      basis[d] = wave_basis(d);
      add_outer(coupling_[d] = {}, kWave, basis[d][0]);
      add_outer(coupling_[d], -kWave, basis[d][1]);
    }
  }

  template <class Form>
  void start(Form form) {
    form.loop(n * n, [&](long line) {
      for (long i = 0; i < n; ++i) {
        u[line * n + i] = steady(i, line % n, line / n);
        change[line * n + i] = force_[line * n + i] = State{};
      }
    });
    each_inner_line(form, [&](long j, long k) {
      for (long i = 1; i < n - 1; ++i) add_times(force_[at(i, j, k)], -1, rate(i, j, k));
    });
    each_inner_line(form, [&](long j, long k) {
      for (long i = 1; i < n - 1; ++i)
        for (int m = 0; m < 5; ++m)
          u[at(i, j, k)][m] += (0.5 - 0.1 * m) * wave(i) * wave(j) * wave(k);
    });
    first_error_ = error();
    time_ = 0;
  }

  // Sets `change` to what an explicit step would add, times `factor`.
  template <class Form>
  void find_change(Form form, double factor = 1) {
    each_inner_line(form, [&, factor](long j, long k) {
      for (long i = 1; i < n - 1; ++i) {
        const State found = rate(i, j, k);
        for (int m = 0; m < 5; ++m) change[at(i, j, k)][m] = factor * dt * found[m];
      }
    });
  }

  template <class Form>
  void add_change(Form form) {
    each_inner_line(form, [&](long j, long k) {
      for (long i = 1; i < n - 1; ++i) add_times(u[at(i, j, k)], 1, change[at(i, j, k)]);
    });
    time_ += dt;
  }

  template <class Form, class Body>
  void each_inner_line(Form form, const Body& body) const {
    form.loop((n - 2) * (n - 2), [&](long line) { body(1 + line % (n - 2), 1 + line / (n - 2)); });
  }

  double difference(const Flow& other) const {
    double most = 0;
    for (long p = 0; p < u.size(); ++p)
      for (int m = 0; m < 5; ++m) most = std::max(most, apart(u[p][m], other.u[p][m]));
    return most;
  }

  // The disturbance must fade at `share` of the rate at which the longest wave fades by viscosity
  // alone.
  const char* complaint(double share) const {
    const double slowest = share * 3 * M_PI * M_PI * kViscosity;
    constexpr double kRounding = 1e-11;
    return error() <= first_error_ * std::max(std::exp(-slowest * time_), kRounding)
               ? nullptr
               : "the difference from the steady state does not fade";
  }

  long at(long i, long j, long k) const { return (k * n + j) * n + i; }
  long stride(int d) const { return d == 0 ? 1 : d == 1 ? n : n * n; }
  bool is_inner(long i) const { return i >= 1 && i <= n - 2; }
  // Fourth differences need two neighbours on either side.
  double dissipation(long i) const { return i >= 2 && i <= n - 3 ? kDissipation * kWave / h : 0; }
  double speed(const State& state, int d) const { return 0.3 + 0.1 * state[1 + d]; }
  const Block& coupling(int d) const { return coupling_[d]; }

  const long n;
  const double h, dt;
  std::array<std::array<State, 5>, 3> basis;
  Array<State> u, change;

 private:
  double wave(long i) const { return std::sin(M_PI * h * static_cast<double>(i)); }

  State steady(long i, long j, long k) const {
    const double x = h * static_cast<double>(i), y = h * static_cast<double>(j),
                 z = h * static_cast<double>(k);
    State state;
    for (int m = 0; m < 5; ++m)
      state[m] = 0.4 * std::cos((m + 1) * x + (3 - m) * y) * std::cos(1 + m + 2 * z);
    return state;
  }

  State rate(long i, long j, long k) const {
    const long p = at(i, j, k);
    const std::array<long, 3> place{i, j, k};
    const double per_length = 1 / (2 * h), spread = kViscosity / (h * h);
    State found = force_[p];
    for (int d = 0; d < 3; ++d) {
      const long s = stride(d);
      const State &low = u[p - s], &high = u[p + s];
      State slope;
      for (int m = 0; m < 5; ++m) slope[m] = per_length * (high[m] - low[m]);
      const double v = speed(u[p], d), damping = dissipation(place[d]);
      for (int m = 0; m < 5; ++m)
        found[m] +=
            spread * (high[m] - 2 * u[p][m] + low[m]) - v * slope[m] - dot(coupling_[d][m], slope);
      if (damping == 0) continue;
      const State &lower = u[p - 2 * s], &higher = u[p + 2 * s];
      for (int m = 0; m < 5; ++m)
        found[m] -= damping * (lower[m] + higher[m] - 4 * (low[m] + high[m]) + 6 * u[p][m]);
    }
    return found;
  }

  double error() const {
    double sum = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j)
        for (long i = 0; i < n; ++i) {
          State off = u[at(i, j, k)];
          add_times(off, -1, steady(i, j, k));
          sum += dot(off, off);
        }
    return std::sqrt(sum);
  }

  Array<State> force_;
  std::array<Block, 3> coupling_;
  double first_error_ = 0, time_ = 0;
};

// What all kernels of this problem have.
class FlowKernel {
 public:
  explicit FlowKernel(long size) : flow_(size) {}

  template <class Form>
  void start(Form form) {
    flow_.start(form);
  }

  double difference(const FlowKernel& other) const { return flow_.difference(other.flow_); }

 protected:
  Flow flow_;
};

// A kernel whose factors are along one axis after the other. For the line along `d` that begins at
// p the Solver has
//     void sweep(int d, long p);                                  solves for flow_.change
//     void eliminate(int d, long p, State* x) const;              solves for x, by cells
//     State product(int d, long p, long i, const State* x) const; row i of the matrix, times x
template <class Solver>
class AxisByAxis : public FlowKernel {
 public:
  using FlowKernel::FlowKernel;

  template <class Form>
  void step(Form form, long) {
    auto& solver = static_cast<Solver&>(*this);
    flow_.find_change(form);
    flow_.each_inner_line(form, [&](long j, long k) { solver.sweep(0, flow_.at(0, j, k)); });
    flow_.each_inner_line(form, [&](long i, long k) { solver.sweep(1, flow_.at(i, 0, k)); });
    flow_.each_inner_line(form, [&](long i, long j) { solver.sweep(2, flow_.at(i, j, 0)); });
    flow_.add_change(form);
  }

  const char* complaint() const {
    for (int d = 0; d < 3; ++d)
      if (!undoes_product(d)) return "a line's elimination does not undo the product";
    return flow_.complaint(0.5);
  }

 private:
  bool undoes_product(int d) const {
    const auto& solver = static_cast<const Solver&>(*this);
    const long n = flow_.n, middle = n / 2;
    const long p = d == 0   ? flow_.at(0, middle, middle)
                   : d == 1 ? flow_.at(middle, 0, middle)
                            : flow_.at(middle, middle, 0);
    std::vector<State> wanted(static_cast<size_t>(n)), x(wanted.size());
    for (long i = 1; i < n - 1; ++i)
      for (int m = 0; m < 5; ++m) wanted[i][m] = uniform(static_cast<uint64_t>(5 * i + m));
    for (long i = 1; i < n - 1; ++i) x[i] = solver.product(d, p, i, wanted.data());
    solver.eliminate(d, p, x.data());
    for (long i = 1; i < n - 1; ++i)
      for (int m = 0; m < 5; ++m)
        if (!(std::abs(x[i][m] - wanted[i][m]) <= 1e-11)) return false;
    return true;
  }
};

}  // namespace bench
