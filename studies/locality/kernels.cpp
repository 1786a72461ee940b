#include "kernels.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "../../bench/kernels/triangles.hpp"
#include "pages.hpp"

namespace bench::locality {
namespace {

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

uint64_t digest(const double* values, int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum = sum * 31 + std::bit_cast<uint64_t>(values[i]);
  return mix(sum);
}

class Triad final : public Kernel {
 public:
  Triad(const Inputs& inputs, int chunk)
      : n_(int64_t{8192} * inputs.cpus), chunk_(chunk), a_(n_), b_(n_), c_(n_) {}

  void initialise(Init init) override {
    locality::initialise(init, n_, [a = a_.data(), b = b_.data(), c = c_.data()](int64_t i) {
      a[i] = 0;
      b[i] = static_cast<double>(i);
      c[i] = 1 + static_cast<double>(i % 7);
    });
  }
  void run(Form form) override {
    execute(form, n_, chunk_,
            [a = a_.data(), b = b_.data(), c = c_.data()](int64_t i) { a[i] = b[i] + 3.0 * c[i]; });
  }
  uint64_t answer() const override { return digest(a_.data(), n_); }

 private:
  int64_t n_, chunk_;
  Pages<double> a_, b_, c_;
};

// 7-point Jacobi on a long grid. A plane is one page, so that a node needs few planes of its
// neighbours beside its own: the kernel shows the schedule, not the shape of the grid.
class Stencil final : public Kernel {
  static constexpr int64_t kX = 64, kY = 8, kPlane = kX * kY;

 public:
  Stencil(const Inputs& inputs, int chunk)
      : planes_(int64_t{16} * inputs.cpus),
        chunk_(chunk),
        from_(planes_ * kPlane),
        to_(planes_ * kPlane) {}

  void initialise(Init init) override {
    locality::initialise(init, rows(), [from = from_.data(), to = to_.data()](int64_t row) {
      for (int64_t i = row * kX; i < (row + 1) * kX; ++i) {
        from[i] = static_cast<double>((i * 2654435761) & 0xffff);
        to[i] = 0;
      }
    });
  }
  void run(Form form) override {
    execute(form, rows(), chunk_,
            [from = from_.data(), to = to_.data(), last = rows() - 1](int64_t row) {
              const int64_t y = row % kY;
              // At the surface a point is its own neighbour.
              const double* here = from + row * kX;
              const double* north = y > 0 ? here - kX : here;
              const double* south = y < kY - 1 ? here + kX : here;
              const double* below = row >= kY ? here - kPlane : here;
              const double* above = row + kY <= last ? here + kPlane : here;
              double* out = to + row * kX;
              for (int64_t x = 0; x < kX; ++x)
                out[x] =
                    0.4 * here[x] + 0.1 * (here[x > 0 ? x - 1 : x] + here[x < kX - 1 ? x + 1 : x] +
                                           north[x] + south[x] + below[x] + above[x]);
            });
  }
  uint64_t answer() const override { return digest(to_.data(), planes_ * kPlane); }

 private:
  int64_t rows() const { return planes_ * kY; }

  int64_t planes_, chunk_;
  Pages<double> from_, to_;
};

// y = A x, with A in compressed rows: seven entries within 64 of the diagonal and one within 1024.
// In every 32nd row the last entry can be anywhere.
class Spmv final : public Kernel {
  static constexpr int64_t kEntries = 8, kBand = 64, kWide = 1024, kStray = 32;

 public:
  Spmv(const Inputs& inputs, int chunk)
      : rows_(int64_t{2048} * inputs.cpus),
        chunk_(chunk),
        value_(rows_ * kEntries),
        column_(rows_ * kEntries),
        first_(rows_ + 1),
        x_(rows_),
        y_(rows_) {}

  void initialise(Init init) override {
    locality::initialise(init, rows_,
                         [value = value_.data(), column = column_.data(), first = first_.data(),
                          x = x_.data(), y = y_.data(), rows = rows_](int64_t row) {
                           x[row] = 1 + static_cast<double>(row % 5);
                           y[row] = 0;
                           first[row + 1] = (row + 1) * kEntries;
                           for (int64_t k = 0; k < kEntries; ++k) {
                             value[row * kEntries + k] = 1 / static_cast<double>(k + 1);
                             column[row * kEntries + k] = column_of(row, k, rows);
                           }
                         });
  }
  void run(Form form) override {
    execute(form, rows_, chunk_,
            [value = value_.data(), column = column_.data(), first = first_.data(), x = x_.data(),
             y = y_.data()](int64_t row) {
              double sum = 0;
              for (int64_t k = first[row]; k < first[row + 1]; ++k) sum += value[k] * x[column[k]];
              y[row] = sum;
            });
  }
  uint64_t answer() const override { return digest(y_.data(), rows_); }

 private:
  static int32_t column_of(int64_t row, int64_t k, int64_t rows) {
    const auto random =
        static_cast<int64_t>(mix(static_cast<uint64_t>(row * kEntries + k) + 1) >> 1);
    if (k == kEntries - 1 && row % kStray == 0) return static_cast<int32_t>(random % rows);
    const int64_t reach = k == kEntries - 1 ? kWide : kBand;
    return static_cast<int32_t>(
        std::clamp<int64_t>(row + random % (2 * reach) - reach, 0, rows - 1));
  }

  int64_t rows_, chunk_;
  Pages<double> value_;
  Pages<int32_t> column_;
  Pages<int64_t> first_;
  Pages<double> x_, y_;
};

// bench/kernels/triangles: a vertex's list lies with the vertex, but its neighbours' lists are
// anywhere, and the caches hold much of the graph. Unlike the other kernels this one needs balance.
class Triangles final : public Kernel {
  static constexpr size_t kLine = 64 / sizeof(int64_t);

 public:
  Triangles(const Inputs& inputs, int chunk)
      : chunk_(chunk),
        graph_(inputs.graph),
        first_(graph_.first.size()),
        to_(graph_.to.size()),
        slots_(kLine * static_cast<size_t>(inputs.cpus)),
        counts_(slots_) {}

  void initialise(Init init) override {
    locality::initialise(init, graph_.vertices(),
                         [from = graph_.neighbours(), first = first_.data(), to = to_.data(),
                          last = graph_.vertices() - 1](int64_t u) {
                           const auto vertex = static_cast<triangles::Vertex>(u);
                           first[u] = from.first[u];
                           if (u == last) first[u + 1] = from.first[u + 1];
                           std::copy(from.begin(vertex), from.end(vertex), to + first[u]);
                         });
  }
  void run(Form form) override {
    std::fill_n(counts_.data(), slots_, 0);
    execute(
        form, graph_.vertices(), chunk_,
        [g = triangles::Neighbours{first_.data(), to_.data()}, counts = counts_.data()](int64_t u) {
          counts[kLine * static_cast<size_t>(omp_get_thread_num())] +=
              triangles_from(g, static_cast<triangles::Vertex>(u));
        });
  }
  uint64_t answer() const override {
    uint64_t sum = 0;
    for (size_t i = 0; i < slots_; i += kLine) sum += static_cast<uint64_t>(counts_.data()[i]);
    return sum;
  }

 private:
  int64_t chunk_;
  const triangles::Oriented& graph_;
  Pages<size_t> first_;
  Pages<triangles::Vertex> to_;
  size_t slots_;
  Pages<int64_t> counts_;
};

template <class K>
std::unique_ptr<Kernel> make(const Inputs& inputs, int chunk) {
  return std::make_unique<K>(inputs, chunk);
}

constexpr std::array kKernels{
    Row{"triad", 512, "a = b + 3 c on 8192 doubles for each CPU", make<Triad>},
    Row{"stencil", 8, "7-point Jacobi; an iteration is a row of 64 points, 128 rows for each CPU",
        make<Stencil>},
    Row{"spmv", 128,
        "sparse matrix and vector; 2048 rows of 8 for each CPU, 7 of them within 64 of the "
        "diagonal, "
        "the 8th within 1024 or, in every 32nd row, anywhere",
        make<Spmv>},
    Row{"triangles", 8,
        "counting triangles; 64 vertices and about 550 edges for each CPU, degrees by a power law",
        make<Triangles>},
};

}  // namespace

std::span<const Row> kernels() { return kKernels; }

}  // namespace bench::locality
