// producer_100ns: one thread generates tasks of about 0.1 µs.
#include "kernel.hpp"
#include "producer.hpp"

namespace {

struct Kernel : bench::Producer<60> {
  static constexpr const char* kName = "producer_100ns";
  static constexpr long kSmall = 1000, kLarge = 1'000'000, kMost = 1'000'000'000;
  using Producer::Producer;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
