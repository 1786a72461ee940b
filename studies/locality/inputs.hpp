// inputs.hpp: the inputs of the kernels, and the right answers.
//
// Why    Building a graph and running every kernel serially takes the emulator longer than
//        everything that is counted. The host does it once, into a file that goes to the guest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../bench/kernels/triangles.hpp"

namespace bench::locality {

struct Inputs {
  int cpus = 0;
  triangles::Oriented graph;
  std::vector<uint64_t> answers;  // one for each kernel

  // Runs the kernels serially, but counts triangles by another algorithm than the kernel's.
  static Inputs make(int cpus);

  // Both end the process with a message when the file cannot be used.
  static Inputs load(const std::string& file);
  void save(const std::string& file) const;
};

}  // namespace bench::locality
