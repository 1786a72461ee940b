// fft.hpp: the common parts of the forms of fft: the transform of a leaf, and the check.
//
// A transform reads every `stride`-th element of the input and writes `count` adjacent ones of the
// output: the transform of even elements goes to the lower half, that of odd ones to the upper;
// then the butterflies join them.
#pragma once
#include <cmath>
#include <complex>
#include <vector>

#include "kernel.hpp"

namespace bench {

struct Fft {
  using Complex = std::complex<double>;
  static constexpr const char* kName = "fft";
  static constexpr long kSmall = 10, kLarge = 20, kMost = 26;  // log2 of the number of points
  static constexpr long kLeaf = 64;
  static constexpr long kGrain = 256;  // butterflies of one task

  explicit Fft(long size) : points(1L << size) {
    for (long i = 0; i < points; ++i) {
      const auto place = static_cast<uint64_t>(2 * i);
      input.emplace_back(uniform(place) - 0.5, uniform(place + 1) - 0.5);
      roots.push_back(std::polar(1.0, -2 * M_PI * static_cast<double>(i) / double(points)));
    }
    output.resize(input.size());
  }
  void prepare() { output.assign(output.size(), Complex{}); }
  long tasks() const { return 0; }

  // Compares the energy, which changes if a part is misplaced or missing, and a few points by the
  // definition.
  bool right() const {
    double before = 0, after = 0;
    for (const Complex& x : input) before += std::norm(x);
    for (const Complex& x : output) after += std::norm(x);
    const double n = static_cast<double>(points);
    if (!(std::abs(after / n - before) < 1e-9 * before)) return false;
    for (uint64_t i = 0; i < 8; ++i) {
      const auto k = static_cast<long>(scrambled(i) % static_cast<uint64_t>(points));
      if (!(std::abs(by_definition(k) - at(output, k)) < 1e-10 * n)) return false;
    }
    return true;
  }

  void leaf(const Complex* from, long stride, Complex* to, long count) const {
    if (count == 1) {
      *to = *from;
      return;
    }
    leaf(from, 2 * stride, to, count / 2);
    leaf(from + stride, 2 * stride, to + count / 2, count / 2);
    butterflies(to, stride, count, 0, count / 2);
  }
  // Computes butterflies `first` to `last` of the count/2 that join two halves. They are multiplied
  // by hand, because the operator checks for infinities.
  void butterflies(Complex* at, long stride, long count, long first, long last) const {
    for (long i = first; i < last; ++i) {
      const Complex root = roots[static_cast<size_t>(i * stride)], odd = at[i + count / 2];
      const Complex turned{root.real() * odd.real() - root.imag() * odd.imag(),
                           root.real() * odd.imag() + root.imag() * odd.real()};
      at[i + count / 2] = at[i] - turned;
      at[i] += turned;
    }
  }

  long points;
  std::vector<Complex> input, output, roots;

 private:
  static Complex at(const std::vector<Complex>& v, long i) { return v[static_cast<size_t>(i)]; }
  Complex by_definition(long k) const {
    Complex sum = 0;
    for (long i = 0; i < points; ++i) sum += at(input, i) * at(roots, i * k % points);
    return sum;
  }
};

}  // namespace bench
