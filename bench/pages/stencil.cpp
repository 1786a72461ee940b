// stencil: five points on a grid, from one std::vector into another, which are swapped.
//
// Why    A region that uses a vector captures the vector, not its elements: where the elements are
//        is two loads away. And the arrays change their roles in each step.
// Fill   A vector writes zeros from one thread when it is made. Those that all threads fill need an
//        allocator that leaves their elements as they are, and both cases have it.
#include <memory>
#include <vector>

#include "program.hpp"

namespace {

template <class T>
struct Unwritten : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Unwritten<U>;
  };
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
};

using Vector = std::vector<double, Unwritten<double>>;

class Kernel {
 public:
  static constexpr const char* kName = "stencil";
  static constexpr long kSize = 16;  // rows of the grid

  Kernel(long size, int threads)
      : rows_(size * threads), from_(Vector(elements())), to_(Vector(elements())) {}

  void fill(bool serial) {
    Vector &from = from_, &to = to_;
    bench::fill(serial, rows_ + 2, [&](long row) {
      for (long i = row * kColumns; i < (row + 1) * kColumns; ++i) {
        from[static_cast<size_t>(i)] = bench::uniform(static_cast<uint64_t>(i));
        to[static_cast<size_t>(i)] = from[static_cast<size_t>(i)];
      }
    });
  }

  void step(long) {
    const long rows = rows_;
    const Vector& from = from_;
    Vector& to = to_;
#pragma omp parallel for schedule(static)
    for (long row = 1; row <= rows; ++row) {
      const double* const in = &from[static_cast<size_t>(row * kColumns)];
      double* const out = &to[static_cast<size_t>(row * kColumns)];
      for (long i = 1; i < kColumns - 1; ++i)
        out[i] =
            0.5 * in[i] + 0.125 * (in[i - 1] + in[i + 1] + in[i - kColumns] + in[i + kColumns]);
    }
    from_.swap(to_);
  }

  uint64_t checksum() const { return bench::bits_of(from_.data(), rows_ * kColumns); }

 private:
  static constexpr long kColumns = 512;
  size_t elements() const { return static_cast<size_t>((rows_ + 2) * kColumns); }

  long rows_;
  Vector from_, to_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
