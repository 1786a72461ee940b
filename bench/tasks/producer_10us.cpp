// producer_10us: one thread generates tasks of about 10 µs.
#include "kernel.hpp"
#include "producer.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::Producer<bench::grain::TenUs>>(argc, argv);
}
