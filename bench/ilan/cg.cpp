// cg: conjugate gradients for a sparse symmetric matrix without structure, restarted in rounds.
//
// Why    Implicit solvers and eigenvalue programs do this: a product with uneven rows whose reads
//        go anywhere, and short vector loops, some of them with sums that the next loop needs.
// Steps  A step is one of conjugate gradients. After each kRound steps the scaled solution becomes
//        the next right side: inverse iteration for the least eigenvalue.
// Matrix It is the Laplacian of a graph with a shifted diagonal. Vertex i has edges to i + o for
//        some offsets o of a list, and for fewer of them where i is small. So each row is known
//        without the others.
// Check  The residual that the recurrence carries is compared with the solution's; kRound steps
//        must have made it small; and after some rounds the eigenvalue must be the shift.
#include <numeric>

#include "kernel.hpp"

namespace {

constexpr long kRound = 10;
constexpr long kOffsets = 40;
constexpr double kShift = 0.1;

class Kernel {
 public:
  static constexpr const char* kName = "cg";
  static constexpr bench::Sizes kSizes{
      .usual = 36'000, .small = 300, .least = 100, .most = 20'000'000};  // rows
  // The order of additions in a sum varies, and each round increases the difference a little.
  static constexpr double kTolerance = 1e-12;

  explicit Kernel(long size)
      : n_(size),
        first_(rows_of(size)),
        to_(first_.back()),
        value_(first_.back()),
        diagonal_(size),
        b_(size),
        z_(size),
        r_(size),
        p_(size),
        q_(size) {}

  template <class Form>
  void start(Form form) {
    form.loop(n_, [&](long i) {
      long at = first_[i];
      double sum = 0;
      each_edge(n_, i, [&](long j, uint64_t edge) {
        const double weight = (0.5 + bench::uniform(edge)) / kOffsets;
        to_[at] = static_cast<int32_t>(j);
        value_[at++] = -weight;
        sum += weight;
      });
      diagonal_[i] = kShift + sum;
      b_[i] = bench::uniform(static_cast<uint64_t>(i)) - 0.5;
      z_[i] = r_[i] = p_[i] = q_[i] = 0;
    });
  }

  template <class Form>
  void step(Form form, long number) {
    if (number % kRound == 0) begin_round(form, number > 0);
    const double pq = form.sum(n_, [&](long i) {
      q_[i] = row_times(i, p_);
      return p_[i] * q_[i];
    });
    const double alpha = rr_ / pq;
    const double next = form.sum(n_, [&](long i) {
      z_[i] += alpha * p_[i];
      r_[i] -= alpha * q_[i];
      return r_[i] * r_[i];
    });
    const double beta = next / rr_;
    rr_ = next;
    form.loop(n_, [&](long i) { p_[i] = r_[i] + beta * p_[i]; });
    done_ = number % kRound == kRound - 1;
  }

  double difference(const Kernel& other) const {
    return std::max(bench::furthest(z_, other.z_), bench::apart(eigenvalue_, other.eigenvalue_));
  }

  const char* complaint() const {
    double off = 0, left = 0, right = 0;
    for (long i = 0; i < n_; ++i) {
      const double residual = b_[i] - row_times(i, z_);
      off += (residual - r_[i]) * (residual - r_[i]);
      left += residual * residual;
      right += b_[i] * b_[i];
    }
    if (!(off <= 1e-24 * right)) return "the residual differs from the recurrence's";
    if (done_ && !(left <= 1e-6 * right)) return "a round has not made the residual small";
    // The vector of ones is its eigenvector.
    if (rounds_ >= 4 && !(std::abs(eigenvalue_ / kShift - 1) <= 1e-3))
      return "the least eigenvalue is not the shift";
    return nullptr;
  }

 private:
  template <class Form>
  void begin_round(Form form, bool again) {
    double scale = 1;
    rounds_ = again ? rounds_ + 1 : 0;
    if (again) {
      const double zz = form.sum(n_, [&](long i) { return z_[i] * z_[i]; });
      const double bz = form.sum(n_, [&](long i) { return b_[i] * z_[i]; });
      eigenvalue_ = bz / zz;  // Rayleigh's quotient, for A z = b
      scale = 1 / std::sqrt(zz);
    }
    rr_ = form.sum(n_, [&](long i) {
      if (again) b_[i] = scale * z_[i];
      z_[i] = 0;
      r_[i] = p_[i] = b_[i];
      return r_[i] * r_[i];
    });
  }

  double row_times(long i, const bench::Array<double>& x) const {
    double sum = diagonal_[i] * x[i];
    for (long e = first_[i]; e < first_[i + 1]; ++e) sum += value_[e] * x[to_[e]];
    return sum;
  }

  // Calls `visit` with each neighbour of i and the edge's number, which is the same for both ends.
  template <class Visit>
  static void each_edge(long n, long i, const Visit& visit) {
    for (long k = 0; k < kOffsets; ++k) {
      // Offsets are distinct for distinct k; each is less than half the number of vertices.
      const long part = (n - 1) / 2 / kOffsets;
      const long offset =
          1 + k * part + static_cast<long>(bench::scrambled(static_cast<uint64_t>(k)) % part);
      const long up = (i + offset) % n, down = (i - offset + n) % n;
      if (has_edge(n, i, k)) visit(up, number(i, k));
      if (has_edge(n, down, k)) visit(down, number(down, k));
    }
  }
  static uint64_t number(long i, long k) { return static_cast<uint64_t>(i * kOffsets + k); }
  static bool has_edge(long n, long i, long k) {
    const double share = 0.2 + 0.8 * static_cast<double>(i) / static_cast<double>(n);
    return bench::uniform(~number(i, k)) < share;
  }

  static std::vector<long> rows_of(long n) {
    std::vector<long> first(static_cast<size_t>(n) + 1, 0);
    for (long i = 0; i < n; ++i) each_edge(n, i, [&](long, uint64_t) { ++first[i + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
  }

  long n_;
  std::vector<long> first_;
  bench::Array<int32_t> to_;
  bench::Array<double> value_, diagonal_, b_, z_, r_, p_, q_;
  double rr_ = 0, eigenvalue_ = 0;
  long rounds_ = 0;
  bool done_ = false;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
