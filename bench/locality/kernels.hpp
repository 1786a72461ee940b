// kernels.hpp: the loops whose locality is counted.
//
// Why    Four families: a stream, a grid with neighbours, a matrix with a band and a few strays, a
//        graph with hubs. What one iteration touches is its own for the first three, up to a few
//        per cent; so a schedule that sends iterations where their data is gets nearly all local.
// Size   by the number of CPUs, so that each has the same share on each machine: two to four times
//        what its caches hold, and 16 chunks. A chunk begins on a page where rows allow it.
// Cost   emulation takes microseconds for each iteration. Nothing here is larger than it must be.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "execute.hpp"
#include "inputs.hpp"

namespace bench::locality {

// Its data is a new mapping, untouched until initialise(); run() can be repeated and gives the same
// answer each time.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void initialise(Init) = 0;
  virtual void run(Form) = 0;
  // Of the data after run(): equal if every bit is.
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
