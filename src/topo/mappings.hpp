// mappings.hpp: the memory that this process has mapped, as the kernel lists it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vicino::topo {

struct Mapping {
  uintptr_t begin;
  uintptr_t end;
  bool is_readable;
  // Private, writable, in no file and no stack: what malloc() and mmap() give, and variables that
  // begin as zeros.
  bool is_own;
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

// In order of address; empty if the kernel does not tell, or if there are too many to be looked at.
// The kernel writes the list, which takes some 0.3 us for each mapping.
std::vector<Mapping> mappings();

// The list as /proc/self/maps has it.
std::vector<Mapping> parse_mappings(std::string_view text);

}  // namespace vicino::topo
