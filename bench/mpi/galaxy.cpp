// galaxy: bodies in clusters attract those near them; ranks hold equal numbers of bodies.
//
// Why    Work per body follows the density of its cluster, so it is uneven among iterations and among
//        ranks: ranks with thin clusters wait. It changes little from step to step.
// Work   Pairs of a body with those in its cell and the 26 around it.
// Check  Bodies in a cell are in the order of their numbers, so a body's sum has one order.
#include <array>

#include "app.hpp"

namespace {

constexpr long kSide = 24, kCells = kSide * kSide * kSide;  // of the unit cube
constexpr int kClusters = 12;
constexpr double kPull = 1e-7, kSoft = 1e-4;

struct Body {
  double x, y, z;
};

double folded(double x) { return x - std::floor(x); }  // the cube has no border

// Clusters are of different size and density. Neighbouring numbers are in one cluster.
Body initial(long i, long bodies) {
  const auto cluster = static_cast<uint64_t>(i * kClusters / bodies);
  const double radius = 0.02 + 0.25 * bench::uniform(cluster << 8);
  const auto offset = [&](uint64_t dimension) {
    const uint64_t seed = (static_cast<uint64_t>(i) + 1000) << 4 | dimension << 1;
    const double centre = bench::uniform(cluster << 8 | (dimension + 1));
    return folded(centre + radius * (bench::uniform(seed) - bench::uniform(seed | 1)));
  };
  return {offset(0), offset(1), offset(2)};
}

struct Cells {
  std::vector<long> first, bodies;
};

std::array<long, 3> cell_of(const Body& b) {
  const auto slot = [](double x) { return std::min(static_cast<long>(x * kSide), kSide - 1); };
  return {slot(b.x), slot(b.y), slot(b.z)};
}
long number_of(const std::array<long, 3>& c) { return (c[0] * kSide + c[1]) * kSide + c[2]; }

Cells sorted(const std::vector<Body>& bodies) {
  Cells cells{std::vector<long>(kCells + 1), std::vector<long>(bodies.size())};
  for (const Body& b : bodies) ++cells.first[number_of(cell_of(b)) + 1];
  for (long c = 0; c < kCells; ++c) cells.first[c + 1] += cells.first[c];
  std::vector<long> next = cells.first;
  for (size_t i = 0; i < bodies.size(); ++i)
    cells.bodies[next[number_of(cell_of(bodies[i]))]++] = static_cast<long>(i);
  return cells;
}

void add_pull(Body& sum, const Body& on, const Body& by) {
  const double x = by.x - on.x, y = by.y - on.y, z = by.z - on.z;
  const double square = kSoft + x * x + y * y + z * z;
  const double near = kPull / (square * std::sqrt(square));
  sum.x += near * x;
  sum.y += near * y;
  sum.z += near * z;
}

Body pull(const Body& on, const std::vector<Body>& bodies, const Cells& cells) {
  Body sum{};
  const auto own = cell_of(on);
  const auto near = [&](int d, long by) { return (own[d] + by + kSide) % kSide; };
  for (long i = -1; i <= 1; ++i)
    for (long j = -1; j <= 1; ++j)
      for (long k = -1; k <= 1; ++k) {
        const long cell = number_of({near(0, i), near(1, j), near(2, k)});
        for (long at = cells.first[cell]; at < cells.first[cell + 1]; ++at)
          add_pull(sum, on, bodies[cells.bodies[at]]);
      }
  return sum;
}

void move(Body& body, Body& speed, const Body& by) {
  speed = {speed.x + by.x, speed.y + by.y, speed.z + by.z};
  body = {folded(body.x + speed.x), folded(body.y + speed.y), folded(body.z + speed.z)};
}

uint64_t hash_of(long i, const Body& b) {
  const auto place = static_cast<uint64_t>(i) * 3;
  return bench::hash(place, b.x) + bench::hash(place + 1, b.y) + bench::hash(place + 2, b.z);
}

std::vector<Body> all_bodies(long count) {
  std::vector<Body> bodies;
  for (long i = 0; i < count; ++i) bodies.push_back(initial(i, count));
  return bodies;
}

class Galaxy {
 public:
  static constexpr const char* kName = "galaxy";
  static constexpr bench::AppOptions kDefaults{.size = 12'000, .steps = 6};

  explicit Galaxy(const bench::AppOptions& options)
      : steps_(options.steps), bodies_(all_bodies(options.size)) {
    int ranks = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int r = 0; r < ranks; ++r) {
      const bench::Slice part = bench::slice(options.size, ranks, r, options.uneven);
      firsts_.push_back(static_cast<int>(part.first * 3));
      counts_.push_back(static_cast<int>(part.length() * 3));
    }
    own_ = bench::slice(options.size, ranks, rank, options.uneven);
    speeds_.resize(own_.length());
  }

  bool has_work() const { return own_.length() > 0; }

  void run() {
    for (long step = 0; step < steps_; ++step) {
      const Cells cells = sorted(bodies_);
      std::vector<Body> pulls(own_.length());
#pragma omp parallel for schedule(runtime)
      for (long i = 0; i < own_.length(); ++i)
        pulls[i] = pull(bodies_[own_.first + i], bodies_, cells);
#pragma omp parallel for schedule(runtime)
      for (long i = 0; i < own_.length(); ++i) move(bodies_[own_.first + i], speeds_[i], pulls[i]);
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bodies_.data(), counts_.data(),
                     firsts_.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    }
  }

  uint64_t checksum() const {
    uint64_t sum = 0;
    for (long i = own_.first; i < own_.end; ++i) sum += hash_of(i, bodies_[i]);
    return sum;
  }

  static uint64_t serial(const bench::AppOptions& options) {
    std::vector<Body> bodies = all_bodies(options.size), speeds(options.size), pulls(speeds);
    for (long step = 0; step < options.steps; ++step) {
      const Cells cells = sorted(bodies);
      for (long i = 0; i < options.size; ++i) pulls[i] = pull(bodies[i], bodies, cells);
      for (long i = 0; i < options.size; ++i) move(bodies[i], speeds[i], pulls[i]);
    }
    uint64_t sum = 0;
    for (long i = 0; i < options.size; ++i) sum += hash_of(i, bodies[i]);
    return sum;
  }

 private:
  long steps_;
  std::vector<Body> bodies_;  // all; each rank moves its own
  std::vector<Body> speeds_;  // of this rank's
  std::vector<int> firsts_, counts_;
  bench::Slice own_{};
};

}  // namespace

int main(int argc, char** argv) { return bench::app_main<Galaxy>(argc, argv); }
