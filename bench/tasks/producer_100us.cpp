// producer_100us: one thread generates tasks of about 100 µs.
#include "kernel.hpp"
#include "producer.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::Producer<bench::grain::HundredUs>>(argc, argv);
}
