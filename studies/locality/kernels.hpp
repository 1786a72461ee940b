// kernels.hpp: the loops whose locality is counted.
//
// Why    There are four kinds of loop: a stream, a grid with neighbours, a matrix with a band and a
//        few strays, a graph with hubs. In the first three an iteration touches data of its own, up
//        to a few per cent. So accesses are nearly all local if a schedule runs each iteration
//        where its data are.
// Size   Sizes grow with the number of CPUs, so that each CPU has the same share on each machine:
//        two to four times what its caches hold, and 16 chunks. A chunk begins on a page where
//        rows allow it.
// Cost   Emulation takes microseconds for each iteration. Nothing here is larger than it must be.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "execute.hpp"
#include "inputs.hpp"

namespace bench::locality {

// A kernel's data are in a new mapping, untouched until initialise(). run() can be repeated and
// gives the same answer each time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void initialise(Init) = 0;
  virtual void run(Form) = 0;
  // A digest of the data after run(); it is equal if every bit is equal.
  virtual uint64_t answer() const = 0;
};

struct Row {
  std::string_view name;
  int chunk;  // also the grain of taskloops
  std::string_view about;
  std::unique_ptr<Kernel> (*make)(const Inputs& inputs, int chunk);
};

std::span<const Row> kernels();

}  // namespace bench::locality
