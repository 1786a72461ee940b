// producer_0: one thread generates tasks of about no work.
#include "kernel.hpp"
#include "producer.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::Producer<bench::grain::Empty>>(argc, argv);
}
