// matmul: the product of two dense matrices, tile by tile.
//
// Why    The work is even and fills the arithmetic units: only overhead is left to gain.
// Steps  B becomes Q B for an orthogonal Q, so that nothing grows or vanishes in many steps.
// Check  Freivalds: the last product times a vector, against the factors times the vector; and the
//        norm, which Q keeps.
#include "kernel.hpp"

namespace {

constexpr long kTile = 16;

class Kernel {
 public:
  static constexpr const char* kName = "matmul";
  static constexpr bench::Sizes kSizes{.usual = 176, .small = 40, .least = 1, .most = 32'768};
  static constexpr double kTolerance = 1e-12;

  explicit Kernel(long size) : n_(size), q_(size * size), b_(size * size), c_(size * size) {}

  // Q is the product of two reflections, at the planes perpendicular to v and w.
  template <class Form>
  void start(Form form) {
    std::vector<double> v, w;
    for (uint64_t i = 0; i < static_cast<uint64_t>(n_); ++i) {
      v.push_back(bench::uniform(2 * i) + 0.1);
      w.push_back(bench::uniform(2 * i + 1) - 0.6);
    }
    const double vv = dot(v, v), vw = dot(v, w), ww = dot(w, w);
    form.loop(n_, [&](long i) {
      for (long j = 0; j < n_; ++j) {
        const double turned = v[i] * v[j] / vv + w[i] * w[j] / ww - 2 * vw / vv / ww * v[i] * w[j];
        q_[i * n_ + j] = (i == j ? 1 : 0) - 2 * turned;
        b_[i * n_ + j] = bench::uniform(static_cast<uint64_t>(i * n_ + j)) - 0.5;
        c_[i * n_ + j] = 0;
      }
    });
    norm_ = norm(b_);
  }

  template <class Form>
  void step(Form form, long number) {
    if (number > 0) b_.swap(c_);
    const long tiles = (n_ + kTile - 1) / kTile;
    form.loop(tiles * tiles, [&](long t) { multiply(t / tiles * kTile, t % tiles * kTile); });
  }

  double difference(const Kernel& other) const { return bench::furthest(c_, other.c_); }

  const char* complaint() const {
    std::vector<double> x;
    for (uint64_t i = 0; i < static_cast<uint64_t>(n_); ++i) x.push_back(bench::uniform(i) - 0.5);
    const std::vector<double> cx = times(c_, x), qbx = times(q_, times(b_, x));
    double off = 0, length = 0;
    for (long i = 0; i < n_; ++i) {
      off += (cx[i] - qbx[i]) * (cx[i] - qbx[i]);
      length += qbx[i] * qbx[i];
    }
    if (!(off <= 1e-24 * length)) return "the product times a vector is not the factors times it";
    if (!(std::abs(norm(c_) / norm_ - 1) <= 1e-10)) return "a rotation has changed the norm";
    return nullptr;
  }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  static double norm(const bench::Array<double>& a) {
    double sum = 0;
    for (const double x : a) sum += x * x;
    return std::sqrt(sum);
  }

  std::vector<double> times(const bench::Array<double>& a, const std::vector<double>& x) const {
    std::vector<double> result(x.size(), 0);
    for (long i = 0; i < n_; ++i)
      for (long j = 0; j < n_; ++j) result[i] += a[i * n_ + j] * x[j];
    return result;
  }

  // The tile of the product whose first element is (top, left).
  void multiply(long top, long left) {
    const long rows = std::min(kTile, n_ - top), columns = std::min(kTile, n_ - left);
    double sum[kTile][kTile] = {};
    for (long k = 0; k < n_; ++k) {
      double row[kTile] = {};
      std::copy_n(&b_[k * n_ + left], columns, row);
      for (long i = 0; i < rows; ++i) {
        const double factor = q_[(top + i) * n_ + k];
        for (long j = 0; j < kTile; ++j) sum[i][j] += factor * row[j];
      }
    }
    for (long i = 0; i < rows; ++i) std::copy_n(sum[i], columns, &c_[(top + i) * n_ + left]);
  }

  long n_;
  bench::Array<double> q_, b_, c_;
  double norm_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
