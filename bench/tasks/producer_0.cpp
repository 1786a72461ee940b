// producer_0: one thread generates tasks of about no work.
#include "kernel.hpp"
#include "producer.hpp"

namespace {

struct Kernel : bench::Producer<0> {
  static constexpr const char* kName = "producer_0";
  static constexpr long kSmall = 1000, kLarge = 1'000'000, kMost = 1'000'000'000;
  using Producer::Producer;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
