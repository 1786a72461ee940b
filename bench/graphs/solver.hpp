// solver.hpp: factorisation, triangular solves and the preconditioned solver BiCGStab, once as
// serial loops over rows and once on a runtime's graphs.
//
// Sums   A dot product is a sum of sums over parts of kPart rows, in the order of the rows, however
//        the parts are divided among threads. So all answers are the same to the last bit.
// Source van der Vorst, Bi-CGSTAB, SIAM J. Sci. Stat. Comput. 13 (1992), preconditioned from the
//        right: the residual is that of the system itself.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "system.hpp"
#include "work.hpp"

namespace bench {

inline Places& places_of_thread(Index columns) {
  thread_local Places places;
  if (places.size() < columns) places.resize(columns);
  return places;
}

template <class Entry>
class SerialLoops {
 public:
  explicit SerialLoops(const System<Entry>& system) : system_(system) {}

  void factor(std::vector<Entry>& value) const {
    Places places(system_.rows());
    for (Index row = 0; row < system_.rows(); ++row) factor_row(system_, value, row, places);
  }
  void forward(const std::vector<Entry>& value, const Vector<Entry>& b, Vector<Entry>& y) const {
    for (Index row = 0; row < system_.rows(); ++row) forward_row(system_, value, b, y, row);
  }
  void backward(const std::vector<Entry>& value, const Vector<Entry>& y, Vector<Entry>& x) const {
    for (Index row = system_.rows(); row-- > 0;) backward_row(system_, value, y, x, row);
  }
  template <class Each>
  static void loop(long count, const Each& each) {
    for (long i = 0; i < count; ++i) each(i);
  }

 private:
  const System<Entry>& system_;
};

// Functions, so that what a body has captured is looked up once.
template <class Entry, class Tasks>
void forward_rows(const System<Entry>& system, const std::vector<Entry>& value,
                  const Vector<Entry>& b, Vector<Entry>& y, const Tasks& tasks) {
  for (const Index row : tasks) forward_row(system, value, b, y, row);
}
template <class Entry, class Tasks>
void backward_rows(const System<Entry>& system, const std::vector<Entry>& value,
                   const Vector<Entry>& y, Vector<Entry>& x, const Tasks& tasks) {
  for (const Index row : tasks) backward_row(system, value, y, x, row);
}

template <class Entry, class Backend>
class OnGraph {
 public:
  OnGraph(const System<Entry>& system, Backend& backend) : system_(system), backend_(backend) {}

  void factor(std::vector<Entry>& value) const {
    const auto rows = [&](const auto& tasks) {
      Places& places = places_of_thread(system_.rows());
      for (const Index row : tasks) factor_row(system_, value, row, places);
    };
    backend_.run(Operation::kFactor, Body(rows));
  }
  void forward(const std::vector<Entry>& value, const Vector<Entry>& b, Vector<Entry>& y) const {
    const auto rows = [&](const auto& tasks) {
      forward_rows(system_, value, b, y, tasks);
    };
    backend_.run(Operation::kForward, Body(rows));
  }
  void backward(const std::vector<Entry>& value, const Vector<Entry>& y, Vector<Entry>& x) const {
    const auto rows = [&](const auto& tasks) {
      backward_rows(system_, value, y, x, tasks);
    };
    backend_.run(Operation::kBackward, Body(rows));
  }
  template <class Each>
  static void loop(long count, const Each& each) {
    Backend::loop(count, each);
  }

 private:
  const System<Entry>& system_;
  Backend& backend_;
};

struct Progress {
  long steps = 0;
  double residual = 1;  // of the recurrence, relative to the right side
};

template <class Entry, class Way>
class BiCgStab {
 public:
  BiCgStab(const System<Entry>& system, const std::vector<Entry>& value, const Way& way)
      : system_(system), value_(value), way_(way), sums_(static_cast<size_t>(parts())) {
    for (Vector<Entry>* vector : {&r_, &shadow_, &p_, &turned_p_, &v_, &turned_r_, &t_, &y_})
      vector->resize(system.rows());
  }

  // Begins with x = 0, and ends when the residual is at most `goal` times b, or after `most` steps.
  Progress solve(const Vector<Entry>& b, Vector<Entry>& x, double goal, long most) {
    each_row([&](size_t i) {
      x[i] = {};
      r_[i] = shadow_[i] = p_[i] = b[i];
    });
    double rho = sum(shadow_, r_);
    const double length = std::sqrt(rho);
    Progress progress;
    while (progress.steps < most && progress.residual > goal) {
      rho = step(x, rho);
      progress.residual = std::sqrt(sum(r_, r_)) / length;
      ++progress.steps;
    }
    return progress;
  }

 private:
  static constexpr long kPart = 2048;

  double step(Vector<Entry>& x, double rho) {
    precondition(p_, turned_p_);
    multiply(turned_p_, v_);
    const double alpha = rho / sum(shadow_, v_);
    each_row([&](size_t i) { add_times(r_[i], -alpha, v_[i]); });
    precondition(r_, turned_r_);
    multiply(turned_r_, t_);
    const double omega = sum(t_, r_) / sum(t_, t_);
    each_row([&](size_t i) {
      add_times(x[i], alpha, turned_p_[i]);
      add_times(x[i], omega, turned_r_[i]);
      add_times(r_[i], -omega, t_[i]);
    });
    const double next = sum(shadow_, r_);
    const double beta = next / rho * (alpha / omega);
    each_row([&](size_t i) {
      add_times(p_[i], -omega, v_[i]);
      Part<Entry> direction = r_[i];
      add_times(direction, beta, p_[i]);
      p_[i] = direction;
    });
    return next;
  }

  void precondition(const Vector<Entry>& from, Vector<Entry>& to) {
    way_.forward(value_, from, y_);
    way_.backward(value_, y_, to);
  }
  void multiply(const Vector<Entry>& from, Vector<Entry>& to) {
    each_row([&](size_t i) { multiply_row(system_.matrix, from, to, static_cast<Index>(i)); });
  }
  double sum(const Vector<Entry>& a, const Vector<Entry>& b) {
    way_.loop(parts(), [&](long part) {
      double total = 0;
      each_row_of(part, [&](size_t i) { total += dot(a[i], b[i]); });
      sums_[static_cast<size_t>(part)] = total;
    });
    double total = 0;
    for (const double one : sums_) total += one;
    return total;
  }

  template <class Each>
  void each_row(const Each& each) {
    way_.loop(parts(), [&](long part) { each_row_of(part, each); });
  }
  template <class Each>
  void each_row_of(long part, const Each& each) const {
    const long end = std::min<long>(system_.rows(), (part + 1) * kPart);
    for (long i = part * kPart; i < end; ++i) each(static_cast<size_t>(i));
  }
  long parts() const { return (system_.rows() + kPart - 1) / kPart; }

  const System<Entry>& system_;
  const std::vector<Entry>& value_;
  const Way& way_;
  Vector<Entry> r_, shadow_, p_, turned_p_, v_, turned_r_, t_, y_;
  std::vector<double> sums_;
};

// The length of b - A x over that of b.
template <class Entry>
double residual(const Matrix<Entry>& matrix, const Vector<Entry>& x, const Vector<Entry>& b) {
  Vector<Entry> product(x.size());
  double left = 0, right = 0;
  for (Index row = 0; row < matrix.pattern.rows(); ++row) {
    multiply_row(matrix, x, product, row);
    Part<Entry> difference = b[row];
    add_times(difference, -1, product[row]);
    left += dot(difference, difference);
    right += dot(b[row], b[row]);
  }
  return std::sqrt(left / right);
}

}  // namespace bench
