// producer_0, on oneTBB.
#include "../kernel.hpp"
#include "producer.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::TbbProducer<bench::grain::Empty>>(argc, argv);
}
