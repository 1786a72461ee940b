// cg: conjugate gradients for the Laplacian of a cube with a shifted diagonal; ranks hold slabs.
//
// Why    Solvers do this: short loops, bound by memory, and two dot products in each step, for which
//        all ranks wait.
// Work   Cells of a line, one iteration for each line of a slab.
// Check  A dot product is summed along a line, then along a plane, then over planes, always in that
//        order: an allreduce of the planes' sums adds zeros of other ranks, which changes no bit.
#include "app.hpp"

namespace {

constexpr double kShift = 0.01;

double right_side(uint64_t place) { return bench::uniform(place) - 0.5; }

// Vectors have a plane more at both ends: the neighbours', or 0.
using Vector = std::vector<double>;

// The cells of some planes of the cube, and what is done to a line of them.
struct System {
  long size;
  bench::Slice planes;
  Vector x, r, p, q;
  std::vector<double> of_line;  // a line's part of a dot product

  System(long cells, bench::Slice part)
      : size(cells), planes(part), x((part.length() + 2) * cells * cells), r(x), p(x), q(x) {
    of_line.resize(lines());
    for (long line = 0; line < lines(); ++line)
      for (long at = begin(line); at < begin(line) + size; ++at)
        p[at] = r[at] = right_side(at - plane() + planes.first * plane());
  }
  long plane() const { return size * size; }
  long lines() const { return planes.length() * size; }
  long begin(long line) const { return plane() + line * size; }

  // q = A p, and p·q.
  void multiply(long line) {
    const long row = line % size, first = begin(line);
    double dot = 0;
    for (long k = 0; k < size; ++k) {
      const long at = first + k;
      double around = p[at - plane()] + p[at + plane()];
      if (row > 0) around += p[at - size];
      if (row < size - 1) around += p[at + size];
      if (k > 0) around += p[at - 1];
      if (k < size - 1) around += p[at + 1];
      q[at] = (6 + kShift) * p[at] - around;
      dot += p[at] * q[at];
    }
    of_line[line] = dot;
  }

  // A step along p, and r·r.
  void step(long line, double alpha) {
    double dot = 0;
    for (long at = begin(line); at < begin(line) + size; ++at) {
      x[at] += alpha * p[at];
      r[at] -= alpha * q[at];
      dot += r[at] * r[at];
    }
    of_line[line] = dot;
  }

  void turn(long line, double beta) {
    for (long at = begin(line); at < begin(line) + size; ++at) p[at] = r[at] + beta * p[at];
  }

  void square(long line) {
    double dot = 0;
    for (long at = begin(line); at < begin(line) + size; ++at) dot += r[at] * r[at];
    of_line[line] = dot;
  }

  // The sum of each plane, at the plane's number in the cube.
  std::vector<double> of_planes() const {
    std::vector<double> sums(size);
    for (long line = 0; line < lines(); ++line) sums[planes.first + line / size] += of_line[line];
    return sums;
  }

  uint64_t checksum() const {
    uint64_t sum = 0;
    for (long line = 0; line < lines(); ++line)
      for (long at = begin(line); at < begin(line) + size; ++at)
        sum += bench::hash(at - plane() + planes.first * plane(), x[at]);
    return sum;
  }
};

double added(const std::vector<double>& sums) {
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

class Cg {
 public:
  static constexpr const char* kName = "cg";
  static constexpr bench::AppOptions kDefaults{.size = 80, .steps = 100};

  explicit Cg(const bench::AppOptions& options)
      : steps_(options.steps), system_(options.size, part(options)) {}

  bool has_work() const { return system_.planes.length() > 0; }

  void run() {
    System& s = system_;
    const long lines = s.lines();
    for (long line = 0; line < lines; ++line) s.square(line);
    double rr = dot();
    for (long step = 0; step < steps_; ++step) {
      exchange(s.p);
#pragma omp parallel for schedule(runtime)
      for (long line = 0; line < lines; ++line) s.multiply(line);
      const double alpha = rr / dot();
#pragma omp parallel for schedule(runtime)
      for (long line = 0; line < lines; ++line) s.step(line, alpha);
      const double next = dot(), beta = next / rr;
      rr = next;
#pragma omp parallel for schedule(runtime)
      for (long line = 0; line < lines; ++line) s.turn(line, beta);
    }
  }

  uint64_t checksum() const { return system_.checksum(); }

  static uint64_t serial(const bench::AppOptions& options) {
    System s(options.size, {0, options.size});
    for (long line = 0; line < s.lines(); ++line) s.square(line);
    double rr = added(s.of_planes());
    for (long step = 0; step < options.steps; ++step) {
      for (long line = 0; line < s.lines(); ++line) s.multiply(line);
      const double alpha = rr / added(s.of_planes());
      for (long line = 0; line < s.lines(); ++line) s.step(line, alpha);
      const double next = added(s.of_planes()), beta = next / rr;
      rr = next;
      for (long line = 0; line < s.lines(); ++line) s.turn(line, beta);
    }
    return s.checksum();
  }

 private:
  bench::Slice part(const bench::AppOptions& options) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    return bench::slice(options.size, ranks_, rank_, options.uneven);
  }

  double dot() const {
    std::vector<double> sums = system_.of_planes();
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    return added(sums);
  }

  void exchange(Vector& v) const {
    const int count = static_cast<int>(system_.plane());
    const int below = rank_ > 0 ? rank_ - 1 : MPI_PROC_NULL;
    const int above = rank_ < ranks_ - 1 ? rank_ + 1 : MPI_PROC_NULL;
    double *const first = v.data(), *const last = first + system_.planes.length() * count;
    MPI_Sendrecv(first + count, count, MPI_DOUBLE, below, 0, last + count, count, MPI_DOUBLE, above,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, count, MPI_DOUBLE, above, 1, first, count, MPI_DOUBLE, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  int rank_ = 0, ranks_ = 1;
  long steps_;
  System system_;
};

}  // namespace

int main(int argc, char** argv) { return bench::app_main<Cg>(argc, argv); }
