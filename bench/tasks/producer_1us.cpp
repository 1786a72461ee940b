// producer_1us: one thread generates tasks of about 1 µs.
#include "kernel.hpp"
#include "producer.hpp"

namespace {

struct Kernel : bench::Producer<600> {
  static constexpr const char* kName = "producer_1us";
  static constexpr long kSmall = 1000, kLarge = 500'000, kMost = 1'000'000'000;
  using Producer::Producer;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
