// kernel.hpp: what the kernel tells of this process's memory; a test stands in for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topo/mappings.hpp"

namespace vicino::pages {

class Kernel {
 public:
  virtual ~Kernel() = default;
  // How often a page came to be there, so far; a huge page counts once. Takes a third of a
  // microsecond.
  virtual uint64_t faults() = 0;
  // The bytes that are there now and in no file, by the kernel's estimate. Takes some microseconds.
  virtual uint64_t resident() = 0;
  virtual std::vector<topo::Mapping> mappings() = 0;
  // Reads words of this process from an address that may be none; false if not all are there.
  virtual bool read(uintptr_t at, std::span<uintptr_t> words) = 0;
  // The memory node of each of these pages; -1: the page is not there. False if the kernel refuses.
  virtual bool nodes_of(std::span<const uintptr_t> pages, std::span<int> nodes) = 0;
  // Whether somebody has said on which nodes the memory at this address is to lie, or has locked it.
  virtual bool is_claimed(uintptr_t at) = 0;
};

// The kernel that this process runs on. Its functions may change errno.
Kernel& this_kernel();

}  // namespace vicino::pages
