// inputs.hpp: what the kernels are given, and the answers that are right.
//
// Why    Building a graph and running every kernel serially takes the emulator longer than all that
//        is counted. The host does it once, into a file that travels with the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../kernels/triangles.hpp"

namespace bench::locality {

struct Inputs {
  int cpus = 0;
  triangles::Oriented graph;
  std::vector<uint64_t> answers;  // one for each kernel

  // Serial runs, the triangles by another algorithm than the kernel's.
  static Inputs make(int cpus);

  // Both end the process with a message when the file is not as it should be.
  static Inputs load(const std::string& file);
  void save(const std::string& file) const;
};

}  // namespace bench::locality
