// spmv: a sparse matrix times a vector, a loop over the rows, for five shapes of matrix.
//
// Why    Papers on schedules begin with this loop: a row costs as much as it has entries, and only
//        the matrix knows how many. uniform: all rows have the same number of entries, in any
//        columns. banded: entries are near the diagonal, hence cached. power: row lengths follow a
//        power law. arrow: one dense row before many rows of two entries, so a third of all work is
//        in one iteration. blocks: dense blocks along the diagonal, so long rows are neighbours.
// Work   Multiplications.
// Check  Each row by a serial form, added once for each call. All numbers are whole and small: sums
//        are exact in any order.
#include "graph.hpp"
#include "kernel.hpp"

namespace {

constexpr int kCalls = 100;

bench::Rows make_uniform(long n) {
  bench::Rows rows;
  for (long i = 0; i < n; ++i, rows.end_row())
    for (long e = 0; e < 24; ++e)
      rows.to.push_back(bench::pick(static_cast<uint64_t>(i * 24 + e), n));
  return rows;
}

bench::Rows make_banded(long n) {
  bench::Rows rows;
  for (long i = 0; i < n; ++i, rows.end_row())
    for (long j = std::max(i - 12, 0L); j <= std::min(i + 12, n - 1); ++j)
      rows.to.push_back(static_cast<int32_t>(j));
  return rows;
}

bench::Rows make_power(long n) {
  bench::Rows rows;
  for (long i = 0; i < n; ++i, rows.end_row()) {
    const uint64_t place = static_cast<uint64_t>(i) << 20;
    const long length = bench::power_law(place, 8, n);
    for (long e = 1; e <= length; ++e) rows.to.push_back(bench::pick(place + e, n));
  }
  return rows;
}

bench::Rows make_arrow(long n) {
  bench::Rows rows;
  for (long j = 0; j < n; ++j) rows.to.push_back(static_cast<int32_t>(j));
  for (long i = 1; i < n; ++i) {
    rows.end_row();
    rows.to.insert(rows.to.end(), {0, static_cast<int32_t>(i)});
  }
  rows.end_row();
  return rows;
}

bench::Rows make_blocks(long n) {
  bench::Rows rows;
  for (long begin = 0; begin < n;) {
    const long end = std::min(n, begin + bench::power_law(static_cast<uint64_t>(begin), 4, 256));
    for (long i = begin; i < end; ++i, rows.end_row())
      for (long j = begin; j < end; ++j) rows.to.push_back(static_cast<int32_t>(j));
    begin = end;
  }
  return rows;
}

class Kernel {
 public:
  static constexpr const char* kName = "spmv";
  static constexpr std::array kInputs = {"uniform", "banded", "power", "arrow", "blocks"};

  Kernel(size_t input, double scale) {
    constexpr std::array kMakers = {make_uniform, make_banded, make_power, make_arrow, make_blocks};
    rows_ = kMakers[input](bench::scaled(20'000, scale, 1, 2));
    for (size_t e = 0; e < rows_.to.size(); ++e) values_.push_back(1 + bench::pick(e, 8));
    for (long i = 0; i < rows_.count(); ++i) x_.push_back(bench::pick(i, 16));
    works_.emplace_back("rows", "multiplications");
    for (long i = 0; i < rows_.count(); ++i) {
      expected_.push_back(kCalls * (1 + row(i)));
      works_[0].add(rows_.length(i));
    }
  }

  void prepare() { y_.assign(x_.size(), 0); }

  void run(bench::Tickets& tickets) {
    const long trip = rows_.count();
    for (int call = 0; call < kCalls; ++call) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long i = 0; i < trip; ++i) {
        seen += bench::ticket(i);
        y_[i] += 1 + row(i);
      }
      tickets.loop(seen, trip);
    }
  }

  bool right() const { return y_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  double row(long i) const {
    double sum = 0;
    for (long e = rows_.first[i]; e < rows_.first[i + 1]; ++e) sum += values_[e] * x_[rows_.to[e]];
    return sum;
  }

  bench::Rows rows_;
  std::vector<double> values_, x_, y_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
