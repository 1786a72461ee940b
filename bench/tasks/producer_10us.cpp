// producer_10us: one thread generates tasks of about 10 µs.
#include "kernel.hpp"
#include "producer.hpp"

namespace {

struct Kernel : bench::Producer<6000> {
  static constexpr const char* kName = "producer_10us";
  static constexpr long kSmall = 1000, kLarge = 50'000, kMost = 1'000'000'000;
  using Producer::Producer;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
