// bandwidth: three arrays larger than the caches, read and written from end to end.
//
// Why    A loop that more threads do not make faster once one of them takes all that the memory
//        gives, and make slower where its lines then come out of order.
// Work   one iteration is a block of kBlock elements.
// Check  an element's value has a closed form.
#include "kernel.hpp"

namespace {

constexpr long kBlock = 1024;
constexpr double kFactor = 0.5;

class Kernel {
 public:
  static constexpr const char* kName = "bandwidth";
  static constexpr bench::Sizes kSizes{
      .usual = 4'000, .small = 16, .least = 1, .most = 10'000'000};  // blocks
  static constexpr double kTolerance = 0;

  explicit Kernel(long size) : n_(size), a_(size * kBlock), b_(a_.size()), c_(a_.size()) {}

  template <class Form>
  void start(Form form) {
    form.loop(n_, [&](long block) {
      for (long i = block * kBlock; i < (block + 1) * kBlock; ++i) {
        a_[i] = 0;
        b_[i] = static_cast<double>(i % 97);
        c_[i] = static_cast<double>(i % 89);
      }
    });
    steps_ = 0;
  }

  template <class Form>
  void step(Form form, long) {
    form.loop(n_, [&](long block) {
      double* a = &a_[block * kBlock];
      const double *b = &b_[block * kBlock], *c = &c_[block * kBlock];
      for (long i = 0; i < kBlock; ++i) a[i] += b[i] + kFactor * c[i];
    });
    ++steps_;
  }

  double difference(const Kernel& other) const { return bench::furthest(a_, other.a_); }

  // All numbers are small multiples of a half: no rounding.
  const char* complaint() const {
    for (long i = 0; i < a_.size(); ++i) {
      const double once = static_cast<double>(i % 97) + kFactor * static_cast<double>(i % 89);
      if (a_[i] != steps_ * once) return "a block left out or repeated";
    }
    return nullptr;
  }

 private:
  long n_;
  bench::Array<double> a_, b_, c_;
  double steps_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
