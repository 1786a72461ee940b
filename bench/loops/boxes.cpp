// boxes: particles in a cube of boxes; each acts on those of its own box and of the boxes around.
//
// Why    As in Rodinia's LavaMD an iteration is a box. Inner boxes have 26 neighbours and a corner
//        has 7, so work is even inside and falls to a quarter at the edges.
// Work   Pairs of particles. The published figures count something else, in larger boxes.
// Check  The same steps in serial loops must give the same positions, to the last bit: a box's sums
//        are always taken in the same order.
#include "kernel.hpp"

namespace {

constexpr int kInBox = 20, kSteps = 4;
constexpr double kTime = 1e-3;

struct Vector {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vector&) const = default;
};

struct State {
  std::vector<Vector> at, force;
  bool operator==(const State&) const = default;
};

class Kernel {
 public:
  static constexpr const char* kName = "boxes";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale) : side_(bench::scaled(9, scale, 3, 2)) {
    start_ = expected_ = fill();
    works_.emplace_back("force", "pairs", bench::Published{8.8e8, 7.8e17, 1.9e5});
    works_.emplace_back("move", "particles");
    for (int step = 0; step < kSteps; ++step) {
      for (long b = 0; b < boxes(); ++b) works_[0].add(add_forces(expected_, b));
      for (long b = 0; b < boxes(); ++b) works_[1].add(move(expected_, b));
    }
  }

  void prepare() { state_ = start_; }

  void run(bench::Tickets& tickets) {
    const long trip = boxes();
    for (int step = 0; step < kSteps; ++step) {
      uint64_t forced = 0, moved = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : forced)
      for (long b = 0; b < trip; ++b) {
        forced += bench::ticket(b);
        add_forces(state_, b);
      }
      tickets.loop(forced, trip);
#pragma omp parallel for schedule(runtime) reduction(+ : moved)
      for (long b = 0; b < trip; ++b) {
        moved += bench::ticket(b);
        move(state_, b);
      }
      tickets.loop(moved, trip);
    }
  }

  bool right() const { return state_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  long boxes() const { return side_ * side_ * side_; }

  State fill() const {
    State s;
    for (long b = 0; b < boxes(); ++b)
      for (int i = 0; i < kInBox; ++i) {
        const auto place = static_cast<uint64_t>(b * kInBox + i) << 4;
        const auto in = [&](long corner, int axis) {
          return static_cast<double>(corner) + bench::uniform(place + axis);
        };
        s.at.push_back({in(b % side_, 0), in(b / side_ % side_, 1), in(b / side_ / side_, 2)});
      }
    s.force.resize(s.at.size());
    return s;
  }

  static void add_pairs(State& s, long b, long other) {
    for (long i = b * kInBox; i < (b + 1) * kInBox; ++i)
      for (long j = other * kInBox; j < (other + 1) * kInBox; ++j) {
        const double x = s.at[i].x - s.at[j].x, y = s.at[i].y - s.at[j].y,
                     z = s.at[i].z - s.at[j].z;
        const double away = 1 / (0.1 + x * x + y * y + z * z);
        s.force[i].x += away * x;
        s.force[i].y += away * y;
        s.force[i].z += away * z;
      }
  }

  uint64_t add_forces(State& s, long b) const {
    const long x = b % side_, y = b / side_ % side_, z = b / side_ / side_;
    uint64_t pairs = 0;
    for (long k = std::max(z - 1, 0L); k <= std::min(z + 1, side_ - 1); ++k)
      for (long j = std::max(y - 1, 0L); j <= std::min(y + 1, side_ - 1); ++j)
        for (long i = std::max(x - 1, 0L); i <= std::min(x + 1, side_ - 1); ++i) {
          add_pairs(s, b, (k * side_ + j) * side_ + i);
          pairs += kInBox * kInBox;
        }
    return pairs;
  }

  // Particles stay in the lists of the boxes where they began.
  static uint64_t move(State& s, long b) {
    for (long i = b * kInBox; i < (b + 1) * kInBox; ++i) {
      s.at[i].x += kTime * s.force[i].x;
      s.at[i].y += kTime * s.force[i].y;
      s.at[i].z += kTime * s.force[i].z;
    }
    return kInBox;
  }

  long side_;
  State start_, state_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
