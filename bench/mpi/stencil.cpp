// stencil: heat in a cube, a 7-point stencil; ranks hold boxes and exchange their faces.
//
// Why    The classic of simulations on grids: even work, bound by memory, a halo in each step, and the
//        greatest change of all ranks, for which all wait.
// Work   Cells of a line, one iteration for each line of a box.
// Check  A cell's new value is computed from its neighbours in one order.
#include <array>

#include "app.hpp"

namespace {

constexpr double kRate = 0.125;

double initial(uint64_t place) { return bench::uniform(place); }

double next(const double* at, long across, long down) {
  const double around = at[-across] + at[across] + at[-down] + at[down] + at[-1] + at[1];
  return at[0] + kRate * (around - 6 * at[0]);
}

// A box with a layer of cells around it. The outermost ones stay 0.
struct Box {
  std::array<long, 3> length;
  std::vector<double> now, then;

  explicit Box(std::array<long, 3> lengths)
      : length(lengths), now((length[0] + 2) * (length[1] + 2) * (length[2] + 2)), then(now) {}
  long down() const { return length[2] + 2; }
  long across() const { return (length[1] + 2) * down(); }
  long line(long i, long j) const { return (i + 1) * across() + (j + 1) * down() + 1; }

  double step_line(long i, long j) {
    double most = 0;
    for (long k = 0, at = line(i, j); k < length[2]; ++k, ++at) {
      then[at] = next(&now[at], across(), down());
      most = std::fmax(most, std::fabs(then[at] - now[at]));
    }
    return most;
  }
};

// fill(place) or sum over all cells; `place` is a cell's number in the cube.
template <class Do>
void for_cells(Box& box, const std::array<bench::Slice, 3>& part, long size, Do&& act) {
  for (long i = 0; i < box.length[0]; ++i)
    for (long j = 0; j < box.length[1]; ++j)
      for (long k = 0; k < box.length[2]; ++k)
        act(((part[0].first + i) * size + part[1].first + j) * size + part[2].first + k,
            box.now[box.line(i, j) + k]);
}

class Stencil {
 public:
  static constexpr const char* kName = "stencil";
  static constexpr bench::AppOptions kDefaults{.size = 96, .steps = 60};

  explicit Stencil(const bench::AppOptions& options)
      : options_(options), part_(place()), box_(lengths(part_)) {
    if (!has_work()) return;
    for_cells(box_, part_, options.size, [](uint64_t cell, double& at) { at = initial(cell); });
    for (int d = 0; d < 3; ++d)
      for (const long layer : {0L, 1L, box_.length[d], box_.length[d] + 1})
        faces_[d].push_back(face(d, layer));
  }

  bool has_work() const { return box_.length[0] * box_.length[1] * box_.length[2] > 0; }

  void run() {
    const long lines = box_.length[0] * box_.length[1];
    for (long step = 0; step < options_.steps; ++step) {
      exchange();
      double change = 0;
#pragma omp parallel for schedule(runtime) reduction(max : change)
      for (long line = 0; line < lines; ++line)
        change = std::fmax(change, box_.step_line(line / box_.length[1], line % box_.length[1]));
      box_.now.swap(box_.then);
      MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, grid_);
      changes_ += bench::hash(step, change);
    }
  }

  uint64_t checksum() {
    int rank = 0;
    MPI_Comm_rank(grid_, &rank);
    uint64_t sum = rank == 0 ? changes_ : 0;
    for_cells(box_, part_, options_.size,
              [&](uint64_t cell, double at) { sum += bench::hash(cell, at); });
    return sum;
  }

  static uint64_t serial(const bench::AppOptions& options) {
    const bench::Slice all{0, options.size};
    Box box({options.size, options.size, options.size});
    for_cells(box, {all, all, all}, options.size,
              [](uint64_t cell, double& at) { at = initial(cell); });
    uint64_t sum = 0;
    for (long step = 0; step < options.steps; ++step) {
      double change = 0;
      for (long i = 0; i < options.size; ++i)
        for (long j = 0; j < options.size; ++j) change = std::fmax(change, box.step_line(i, j));
      box.now.swap(box.then);
      sum += bench::hash(step, change);
    }
    for_cells(box, {all, all, all}, options.size,
              [&](uint64_t cell, double at) { sum += bench::hash(cell, at); });
    return sum;
  }

 private:
  std::array<bench::Slice, 3> place() {
    int ranks = 0, rank = 0, counts[3] = {}, mine[3];
    const int open[3] = {};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 3, counts);
    MPI_Cart_create(MPI_COMM_WORLD, 3, counts, open, 0, &grid_);
    MPI_Comm_rank(grid_, &rank);
    MPI_Cart_coords(grid_, rank, 3, mine);
    std::array<bench::Slice, 3> part;
    for (int d = 0; d < 3; ++d)
      part[d] = bench::slice(options_.size, counts[d], mine[d], d == 0 ? options_.uneven : 1);
    return part;
  }

  static std::array<long, 3> lengths(const std::array<bench::Slice, 3>& part) {
    return {part[0].length(), part[1].length(), part[2].length()};
  }

  // The cells of a box with number `layer` in dimension d, without edges: no cell needs those.
  MPI_Datatype face(int d, long layer) const {
    int whole[3], sub[3], first[3];
    for (int i = 0; i < 3; ++i) {
      whole[i] = static_cast<int>(box_.length[i]) + 2;
      sub[i] = i == d ? 1 : whole[i] - 2;
      first[i] = i == d ? static_cast<int>(layer) : 1;
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, sub, first, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
  }

  void exchange() {
    double* const cells = box_.now.data();
    for (int d = 0; d < 3; ++d) {
      int below, above;
      MPI_Cart_shift(grid_, d, 1, &below, &above);
      MPI_Sendrecv(cells, 1, faces_[d][1], below, 0, cells, 1, faces_[d][3], above, 0, grid_,
                   MPI_STATUS_IGNORE);
      MPI_Sendrecv(cells, 1, faces_[d][2], above, 1, cells, 1, faces_[d][0], below, 1, grid_,
                   MPI_STATUS_IGNORE);
    }
  }

  bench::AppOptions options_;
  MPI_Comm grid_ = MPI_COMM_NULL;
  std::array<bench::Slice, 3> part_;
  Box box_;
  std::array<std::vector<MPI_Datatype>, 3> faces_;  // the layers 0, 1, last, after the last
  uint64_t changes_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::app_main<Stencil>(argc, argv); }
