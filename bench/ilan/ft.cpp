// ft: a partial differential equation solved by Fourier transforms in three dimensions.
//
// Why    Each axis has a pass over all data. All iterations do equal work, but they go through
//        memory in strides, and the data that one pass leaves near a thread are needed elsewhere
//        by the next pass.
// Steps  A step is one in time, of diffusion in a periodic cube: each mode is multiplied by a
//        factor of its own; then the inverse transform gives the field, and a sum over it.
// Check  Parseval: modes and field have the same energy. Besides, some points of the field are
//        computed by the definition of the transform.
#include "kernel.hpp"

namespace {

constexpr long kLines = 8;  // transformed together: a cache line has elements of four of them
constexpr double kFading = 2e-5;

struct Complex {
  double re, im;

  Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
  Complex operator-(Complex o) const { return {re - o.re, im - o.im}; }
  Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  double norm() const { return re * re + im * im; }
};

class Kernel {
 public:
  static constexpr const char* kName = "ft";
  static constexpr bench::Sizes kSizes{
      .usual = 64, .small = 8, .least = 8, .most = 2048, .power_of_two = true};  // points in a row
  static constexpr double kTolerance = 1e-10;

  explicit Kernel(long size) : n_(size), modes_(cube()), field_(cube()) {
    for (long i = 0; i < n_; ++i) {
      const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(n_);
      roots_.push_back({std::cos(angle), std::sin(angle)});
      const long wave = i < n_ / 2 ? i : i - n_;
      factors_.push_back(std::exp(-kFading * static_cast<double>(wave * wave)));
    }
  }

  template <class Form>
  void start(Form form) {
    form.loop(n_ * n_, [&](long row) {
      for (long i = row * n_; i < (row + 1) * n_; ++i) {
        const auto place = static_cast<uint64_t>(2 * i);
        modes_[i] = {bench::uniform(place) - 0.5, bench::uniform(place + 1) - 0.5};
        field_[i] = {0, 0};
      }
    });
  }

  template <class Form>
  void step(Form form, long) {
    form.loop(n_ * n_, [&](long row) {
      const double factor = factors_[row / n_] * factors_[row % n_];
      for (long x = 0; x < n_; ++x) {
        Complex& mode = modes_[row * n_ + x];
        const double fading = factor * factors_[x];
        field_[row * n_ + x] = mode = {fading * mode.re, fading * mode.im};
      }
    });
    const long blocks = n_ * n_ / kLines, in_plane = n_ / kLines;
    form.loop(blocks, [&](long b) { transform(b * kLines * n_, n_, 1); });
    form.loop(blocks,
              [&](long b) { transform(b / in_plane * n_ * n_ + b % in_plane * kLines, 1, n_); });
    form.loop(blocks, [&](long b) { transform(b * kLines, 1, n_ * n_); });
    sum_ = form.sum(n_ * n_, [&](long row) {
      double sum = 0;
      for (long i = row * n_; i < (row + 1) * n_; ++i) sum += field_[i].norm();
      return sum;
    });
  }

  double difference(const Kernel& other) const {
    double most = bench::apart(sum_, other.sum_);
    for (long i = 0; i < cube(); ++i) {
      most = std::max(most, bench::apart(field_[i].re, other.field_[i].re));
      most = std::max(most, bench::apart(field_[i].im, other.field_[i].im));
    }
    return most;
  }

  const char* complaint() const {
    double energy = 0;
    for (const Complex& mode : modes_) energy += mode.norm();
    if (!(bench::apart(sum_ / static_cast<double>(cube()), energy) <= 1e-11))
      return "the energy of the modes and of the field differ";
    for (uint64_t i = 0; i < 2; ++i) {
      const auto point = static_cast<long>(bench::scrambled(i) % static_cast<uint64_t>(cube()));
      const Complex off = field_[point] - by_definition(point);
      if (!(off.norm() <= 1e-18 * energy))
        return "a point of the field is not the sum of its modes";
    }
    return nullptr;
  }

 private:
  long cube() const { return n_ * n_ * n_; }

  // Transforms kLines lines. Their first elements lie `apart` from each other; the elements of a
  // line lie `stride` from each other.
  void transform(long first, long apart, long stride) {
    std::vector<Complex> lines(static_cast<size_t>(2 * n_ * kLines));
    Complex *from = lines.data(), *to = from + n_ * kLines;
    for (long i = 0; i < n_; ++i)
      for (long l = 0; l < kLines; ++l)
        from[i * kLines + l] = field_[first + l * apart + i * stride];
    for (long half = n_ / 2, groups = 1; half > 0; half /= 2, groups *= 2) {
      butterflies(from, to, half, groups);
      std::swap(from, to);
    }
    for (long i = 0; i < n_; ++i)
      for (long l = 0; l < kLines; ++l)
        field_[first + l * apart + i * stride] = from[i * kLines + l];
  }

  // One pass of Stockham's algorithm: sequences of length 2 half become sequences of half that
  // length, and the pass sorts the elements.
  void butterflies(const Complex* from, Complex* to, long half, long groups) const {
    for (long p = 0; p < half; ++p)
      for (long q = 0; q < groups; ++q) {
        const Complex *a = from + (q + groups * p) * kLines, *b = a + groups * half * kLines;
        Complex *even = to + (q + groups * 2 * p) * kLines, *odd = even + groups * kLines;
        for (long l = 0; l < kLines; ++l) {
          even[l] = a[l] + b[l];
          odd[l] = (a[l] - b[l]) * roots_[p * groups];
        }
      }
  }

  Complex by_definition(long point) const {
    const long x = point % n_, y = point / n_ % n_, z = point / n_ / n_;
    Complex sum{0, 0};
    for (long k = 0; k < n_; ++k)
      for (long j = 0; j < n_; ++j)
        for (long i = 0; i < n_; ++i)
          sum = sum + modes_[(k * n_ + j) * n_ + i] * roots_[(i * x + j * y + k * z) % n_];
    return sum;
  }

  long n_;
  bench::Array<Complex> modes_, field_;
  std::vector<Complex> roots_;
  std::vector<double> factors_;
  double sum_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
