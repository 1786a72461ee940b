// cg: conjugate gradients for the Laplacian of a graph with hubs.
//
// Why    Solvers do this: three short loops in turn, many times. One loop is uneven, and two carry
//        sums that the next loop needs. Overhead per call counts as much as balance.
// Work   Multiplications.
// Check  A x = b by a serial product, for a right-hand side of noise.
#include "graph.hpp"
#include "kernel.hpp"

namespace {

constexpr int kIterations = 50;
constexpr long kEdgesPerVertex = 20;
constexpr double kShift = 0.1;  // eigenvalues lie between kShift and kShift + 2: few iterations

// One end of an edge is any vertex; the other is more likely one of the first vertices.
bench::Rows make_graph(long n) {
  std::vector<std::vector<int32_t>> to(n);
  for (uint64_t e = 0; e < static_cast<uint64_t>(n * kEdgesPerVertex); ++e) {
    const double low = bench::uniform(2 * e);
    const auto u = static_cast<int32_t>(low * low * low * static_cast<double>(n));
    const int32_t v = bench::pick(2 * e + 1, n);
    to[u].push_back(v);
    to[v].push_back(u);
  }
  bench::Rows rows;
  for (const auto& row : to) {
    rows.to.insert(rows.to.end(), row.begin(), row.end());
    rows.end_row();
  }
  return rows;
}

class Kernel {
 public:
  static constexpr const char* kName = "cg";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale) : graph_(make_graph(bench::scaled(16'000, scale, 1, 4))) {
    for (long i = 0; i < rows(); ++i) {
      root_.push_back(1 / std::sqrt(static_cast<double>(std::max(graph_.length(i), 1L))));
      b_.push_back(bench::uniform(static_cast<uint64_t>(i)) - 0.5);
    }
    works_.emplace_back("product", "multiplications");
    works_.emplace_back("step", "multiplications");
    works_.emplace_back("direction", "multiplications");
    for (long i = 0; i < rows(); ++i) {
      works_[0].add(graph_.length(i) + 2);
      works_[1].add(3);
      works_[2].add(1);
    }
  }

  void prepare() {
    x_.assign(b_.size(), 0);
    r_ = p_ = b_;
    q_ = x_;
  }

  void run(bench::Tickets& tickets) {
    const long n = rows();
    double rr = 0;
    for (const double r : r_) rr += r * r;
    for (int k = 0; k < kIterations; ++k) {
      uint64_t multiplied = 0, stepped = 0, turned = 0;
      double pq = 0, next_rr = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : pq, multiplied)
      for (long i = 0; i < n; ++i) {
        multiplied += bench::ticket(i);
        q_[i] = row_times(i, p_);
        pq += p_[i] * q_[i];
      }
      tickets.loop(multiplied, n);
      const double alpha = rr / pq;
#pragma omp parallel for schedule(runtime) reduction(+ : next_rr, stepped)
      for (long i = 0; i < n; ++i) {
        stepped += bench::ticket(i);
        x_[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
        next_rr += r_[i] * r_[i];
      }
      tickets.loop(stepped, n);
      const double beta = next_rr / rr;
      rr = next_rr;
#pragma omp parallel for schedule(runtime) reduction(+ : turned)
      for (long i = 0; i < n; ++i) {
        turned += bench::ticket(i);
        p_[i] = r_[i] + beta * p_[i];
      }
      tickets.loop(turned, n);
    }
  }

  bool right() const {
    for (long i = 0; i < rows(); ++i)
      if (!(std::abs(row_times(i, x_) - b_[i]) <= 1e-7)) return false;
    return true;
  }

  const std::vector<bench::Work>& works() const { return works_; }

 private:
  long rows() const { return graph_.count(); }

  // A row of the normalised Laplacian with a shifted diagonal, times x.
  double row_times(long i, const std::vector<double>& x) const {
    double sum = 0;
    for (long e = graph_.first[i]; e < graph_.first[i + 1]; ++e) {
      const int32_t j = graph_.to[e];
      sum += root_[j] * x[j];
    }
    return (1 + kShift) * x[i] - root_[i] * sum;
  }

  bench::Rows graph_;
  std::vector<double> root_, b_, x_, r_, p_, q_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
