// producer_100us: one thread generates tasks of about 100 µs.
#include "kernel.hpp"
#include "producer.hpp"

namespace {

struct Kernel : bench::Producer<60000> {
  static constexpr const char* kName = "producer_100us";
  static constexpr long kSmall = 1000, kLarge = 5'000, kMost = 1'000'000'000;
  using Producer::Producer;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
