// kmeans: points join the nearest of some centres, and centres move to the mean of their points.
//
// Why    Work changes from call to call: a point whose bounds say that no other centre can be
//        nearer costs one comparison; any other point costs all distances. Points are ordered by
//        cluster, and later clusters overlap more, so the expensive points are neighbours.
// Work   Coordinates compared. The published variant has no bounds and another measure.
// Check  The same steps in a serial loop must give the same members and sums, to the last bit.
//        Coordinates are whole numbers, so the order of additions changes nothing.
//
// The bounds are Hamerly's, 2010: the largest distance that a point can have from its own centre,
// and the least distance that it can have from any other.
#include "kernel.hpp"

namespace {

constexpr int kDimensions = 8, kCentres = 32, kRounds = 12;
constexpr int kWidth = kDimensions + 1;  // a centre's sums, and the number of its points
constexpr int kSums = kCentres * kWidth;

struct State {
  std::vector<int> member;
  std::vector<double> upper, lower;
  std::vector<int64_t> sums;
  std::vector<double> centre, moved;
  double most_moved = 0;

  bool operator==(const State& other) const { return member == other.member && sums == other.sums; }
};

class Kernel {
 public:
  static constexpr const char* kName = "kmeans";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale) : count_(bench::scaled(60'000, scale, 1, kCentres)) {
    for (long i = 0; i < count_; ++i) make_point(i);
    start_ = first_state();
    works_.emplace_back("assign", "coordinates", bench::Published{260, 1.1e6, 1.1e6});
    expected_ = start_;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<int64_t> change(kSums);
      for (long i = 0; i < count_; ++i) works_[0].add(assign(expected_, i, change.data()));
      move_centres(expected_, change);
    }
  }

  void prepare() { state_ = start_; }

  void run(bench::Tickets& tickets) {
    for (int round = 0; round < kRounds; ++round) {
      std::vector<int64_t> changes(kSums);
      int64_t* const change = changes.data();
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen, change[ : kSums])
      for (long i = 0; i < count_; ++i) {
        seen += bench::ticket(i);
        assign(state_, i, change);
      }
      tickets.loop(seen, count_);
      move_centres(state_, changes);
    }
  }

  bool right() const { return state_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  const int* point(long i) const { return points_.data() + i * kDimensions; }

  void make_point(long i) {
    const long cluster = i * kCentres / count_;
    const double spread = 500 * std::pow(1.15, static_cast<double>(cluster));
    for (int d = 0; d < kDimensions; ++d) {
      const double middle =
          65536 * bench::uniform(static_cast<uint64_t>(cluster * kDimensions + d));
      const auto place = static_cast<uint64_t>(i * kDimensions + d) << 8;
      const double off = bench::uniform(place + 1) + bench::uniform(place + 2) - 1;
      points_.push_back(static_cast<int>(middle + spread * off));
    }
  }

  // Centres are some of the points. In the first round every point computes all distances.
  State first_state() const {
    State s;
    s.member.assign(count_, -1);
    s.upper.assign(count_, HUGE_VAL);
    s.lower.assign(count_, 0);
    s.sums.assign(kSums, 0);
    s.moved.assign(kCentres, 0);
    for (int c = 0; c < kCentres; ++c) {
      const int* const p = point(static_cast<long>(bench::scrambled(c) % count_));
      s.centre.insert(s.centre.end(), p, p + kDimensions);
    }
    return s;
  }

  static double distance(const int* p, const double* centre) {
    double sum = 0;
    for (int d = 0; d < kDimensions; ++d) sum += (p[d] - centre[d]) * (p[d] - centre[d]);
    return std::sqrt(sum);
  }

  // Returns the work.
  uint64_t assign(State& s, long i, int64_t* change) const {
    const int before = s.member[i];
    if (before >= 0) {
      s.upper[i] += s.moved[before];
      s.lower[i] -= s.most_moved;
      if (s.upper[i] < s.lower[i]) return 1;
    }
    find_nearest(s, i);
    if (s.member[i] != before) {
      add_point(change, i, s.member[i], 1);
      if (before >= 0) add_point(change, i, before, -1);
    }
    return kCentres * kDimensions;
  }

  void find_nearest(State& s, long i) const {
    s.upper[i] = s.lower[i] = HUGE_VAL;
    for (int c = 0; c < kCentres; ++c) {
      const double d = distance(point(i), s.centre.data() + c * kDimensions);
      if (d < s.upper[i]) {
        s.lower[i] = s.upper[i];
        s.upper[i] = d;
        s.member[i] = c;
      } else {
        s.lower[i] = std::min(s.lower[i], d);
      }
    }
  }

  void add_point(int64_t* sums, long i, int centre, int times) const {
    int64_t* const at = sums + centre * kWidth;
    for (int d = 0; d < kDimensions; ++d) at[d] += times * point(i)[d];
    at[kDimensions] += times;
  }

  static void move_centres(State& s, const std::vector<int64_t>& change) {
    for (int k = 0; k < kSums; ++k) s.sums[k] += change[k];
    s.most_moved = 0;
    for (int c = 0; c < kCentres; ++c) {
      const int64_t* const sums = s.sums.data() + c * kWidth;
      double* const centre = s.centre.data() + c * kDimensions;
      double squares = 0;
      for (int d = 0; d < kDimensions && sums[kDimensions] > 0; ++d) {
        const double to = static_cast<double>(sums[d]) / static_cast<double>(sums[kDimensions]);
        squares += (to - centre[d]) * (to - centre[d]);
        centre[d] = to;
      }
      s.moved[c] = std::sqrt(squares);
      s.most_moved = std::max(s.most_moved, s.moved[c]);
    }
  }

  long count_;
  std::vector<int> points_;
  State start_, state_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
