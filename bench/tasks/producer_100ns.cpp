// producer_100ns: one thread generates tasks of about 0.1 µs.
#include "kernel.hpp"
#include "producer.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::Producer<bench::grain::HundredNs>>(argc, argv);
}
